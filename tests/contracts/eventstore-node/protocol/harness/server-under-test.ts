/** The server under test: the embedded node, insecure or secure, or whatever EVENTSTORE_URL names. */
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { ChannelCredentials, Client } from '@grpc/grpc-js';
import { temporaryDirectory } from '../../../../support/files/temporary-directory';
import { certificatesIn } from '../../../../support/servers/certificates';
import { type EventStoreNode, startNodeHere } from '../../../../support/servers/event-store-node';
import { addressIn, channelOf } from './channel';

type StubOf<Stub> = new (address: string, credentials: ChannelCredentials) => Stub;

export interface Server {
  /** The official client. */
  readonly client: () => EventStoreDBClient;
  /** The protocol itself. */
  readonly raw: () => StreamsClient;
  /** Another service, or with another `Authorization` header than usual ('': none); closed with the server. */
  readonly stub: <Stub extends Client>(stub: StubOf<Stub>, authorization?: string) => Stub;
  readonly address: () => string;
  readonly url: () => string;
}

export const givenUrl = process.env.EVENTSTORE_URL;
/** Why a test is skipped that needs a node of its own. */
export const foreignLog = 'EVENTSTORE_URL names a server that tests may not stop';

interface Wanted {
  /** With TLS and credentials: calls are made as an administrator. */
  readonly secure?: boolean;
}

/** Called inside a `describe`: up before its first test, gone after its last. */
export const serverForTests = ({ secure = false }: Wanted = {}): Server => {
  const data = temporaryDirectory('protocol');
  const stubs: Client[] = [];
  let node: EventStoreNode | undefined;
  let open: { readonly url: string; readonly client: EventStoreDBClient; readonly raw: StreamsClient } | undefined;
  const opened = () => {
    if (open === undefined) throw new Error('The server is up only while tests run.');
    return open;
  };
  const stub: Server['stub'] = (type, authorization) => {
    const { address, credentials } = channelOf(opened().url, authorization);
    const made = new type(address, credentials);
    stubs.push(made);
    return made;
  };
  before(async () => {
    const certs = secure ? await certificatesIn(join(data.path, 'certs')) : undefined;
    node = givenUrl === undefined ? await startNodeHere(join(data.path, 'data'), certs) : undefined;
    const url = givenUrl ?? node?.url ?? '';
    const { address, credentials } = channelOf(url);
    const raw = new StreamsClient(address, credentials);
    open = { url, client: EventStoreDBClient.connectionString(url), raw };
  });
  after(async () => {
    for (const open of [opened().raw, ...stubs]) open.close();
    await opened().client.dispose();
    await node?.stop();
    data.remove();
  });
  return {
    client: () => opened().client,
    raw: () => opened().raw,
    stub,
    address: () => addressIn(opened().url),
    url: () => opened().url,
  };
};
