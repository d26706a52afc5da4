/**
 * Connects to an event store by its URL, over the official client's connection: this node, EventStoreDB or a cluster.
 */
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { CallOptions, Metadata, ServiceError } from '@grpc/grpc-js';
import { type Connection, connect, connectionOf, disconnect } from '../../client';

export interface Server {
  readonly streams: () => Promise<StreamsClient>;
  /** Options for calls without a time limit. */
  readonly unlimited: () => [Metadata, CallOptions];
  /** Options for calls that are answered at once. */
  readonly brief: () => [Metadata, CallOptions];
  readonly version: () => Promise<string>;
  /** JSON. */
  readonly http: (path: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const readVersion = async ({ getGRPCClient, callArguments }: Connection): Promise<string> => {
  const client = await getGRPCClient(ServerFeaturesClient, 'version');
  const methods = await new Promise<SupportedMethods>((resolve, reject) => {
    const answered = (error: ServiceError | null, reply: SupportedMethods): void =>
      error === null ? resolve(reply) : reject(error);
    client.getSupportedMethods(new Empty(), ...callArguments({}), answered);
  });
  return methods.getEventStoreServerVersion();
};

/** Throws when the URL is invalid. */
export const openServer = (url: string): Server => {
  const client = connect(url);
  const connection = connectionOf(client);
  return {
    streams: () => connection.getGRPCClient(StreamsClient, 'transfer'),
    unlimited: () => connection.callArguments({}, { deadline: Number.POSITIVE_INFINITY }),
    brief: () => connection.callArguments({}),
    version: () => readVersion(connection),
    http: (path) => connection.HTTPRequest('GET', path, {}),
    close: () => disconnect(client),
  };
};
