/** The server under test: the embedded node, or whatever EVENTSTORE_URL names (insecure). */
import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { credentials } from '@grpc/grpc-js';
import { type NodeProcess, startEventStoreNode, temporaryDirectory } from '../../support/event-store-node';

export interface Server {
  /** The official client. */
  readonly client: () => EventStoreDBClient;
  /** The protocol itself. */
  readonly raw: () => StreamsClient;
  readonly address: () => string;
  readonly url: () => string;
}

export const givenUrl = process.env.EVENTSTORE_URL;

const addressIn = (url: string): string => new URL(url.replace(/^esdb(\+discover)?:/, 'http:')).host;

/** Called inside a `describe`: up before its first test, gone after its last. */
export const serverForTests = (): Server => {
  const data = temporaryDirectory('protocol');
  let node: NodeProcess | undefined;
  let open: { readonly url: string; readonly client: EventStoreDBClient; readonly raw: StreamsClient } | undefined;
  const opened = () => {
    if (open === undefined) throw new Error('The server is up only while tests run.');
    return open;
  };
  before(async () => {
    node = givenUrl === undefined ? await startEventStoreNode(data.path) : undefined;
    const url = givenUrl ?? node?.url ?? '';
    const raw = new StreamsClient(addressIn(url), credentials.createInsecure());
    open = { url, client: EventStoreDBClient.connectionString(url), raw };
  });
  after(async () => {
    opened().raw.close();
    await opened().client.dispose();
    await node?.stop();
    data.remove();
  });
  return {
    client: () => opened().client,
    raw: () => opened().raw,
    address: () => addressIn(opened().url),
    url: () => opened().url,
  };
};
