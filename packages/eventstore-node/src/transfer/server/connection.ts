/**
 * Connects to an event store by its URL, over the official client's connection: this node, EventStoreDB or a cluster.
 */
import { EventStoreDBClient } from '@eventstore/db-client';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { CallOptions, Metadata, ServiceError } from '@grpc/grpc-js';

/** Private parts of the client: where to connect, with which credentials, and its HTTP. */
interface Connection {
  readonly getChannel: () => Promise<{ close(): void }>;
  readonly getGRPCClient: <Client>(client: new (...parts: never[]) => Client, name: string) => Promise<Client>;
  readonly callArguments: (
    base: { readonly requiresLeader?: boolean },
    options?: CallOptions,
  ) => [Metadata, CallOptions];
  readonly HTTPRequest: (method: 'GET', path: string, options: object) => Promise<unknown>;
}

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
  const client = EventStoreDBClient.connectionString(url);
  const connection = client as unknown as Connection;
  return {
    streams: () => connection.getGRPCClient(StreamsClient, 'transfer'),
    unlimited: () => connection.callArguments({}, { deadline: Number.POSITIVE_INFINITY }),
    brief: () => connection.callArguments({}),
    version: () => readVersion(connection),
    http: (path) => connection.HTTPRequest('GET', path, {}),
    // All calls are made here, so the client has nothing to dispose of.
    close: async () => (await connection.getChannel()).close(),
  };
};
