/** `@septet/eventstore-node/client`: connects the official client to this node, EventStoreDB, KurrentDB or a cluster, and disconnects it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Metadata } from '@grpc/grpc-js';

/** Private parts of the client: its connection to the right node, and how it finds another. */
export interface Connection {
  readonly getGRPCClient: <Stub>(stub: new (...parts: never[]) => Stub, name: string) => Promise<Stub>;
  readonly callArguments: (base: object, options?: CallOptions) => [Metadata, CallOptions];
  readonly handleError: (stub: unknown, error: Error) => Promise<void>;
  readonly HTTPRequest: (method: 'GET', path: string, options: object) => Promise<unknown>;
}

export const connectionOf = (client: EventStoreDBClient): Connection => client as unknown as Connection;

interface Channel {
  close(): void;
}

/** Fields of an instance, which the client itself calls by their names. */
interface Internals {
  getChannel: () => Promise<Channel>;
  createChannel: () => Promise<Channel>;
  handleError: Connection['handleError'];
}

interface OpenConnection {
  /** The newest: the client closes those before it. */
  channel: Channel | undefined;
  /** Aborted: no node is looked for any more. */
  readonly closing: AbortController;
}

const openConnections = new WeakMap<EventStoreDBClient, OpenConnection>();

/** `esdb://` and `esdb+discover://`, or `kurrentdb://` and `kurrentdb+discover://`, the names of EventStoreDB's successor. */
const clientUrl = (url: string): string => url.replace(/^kurrentdb(?=(?:\+discover)?:)/i, 'esdb');

/** Rejects when the signal aborts before the promise settles. */
const unlessAborted = <Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('The connection is closed before a node was found.'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/**
 * Throws when the connection string is not one. The client connects with its first call. After the signal it finishes the
 * calls that have a node, and looks for no other: where several hosts are away, that may take minutes.
 */
export const connect = (url: string, signal?: AbortSignal): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(clientUrl(url));
  const internals = client as unknown as Internals;
  const { getChannel, createChannel, handleError } = internals;
  const connection: OpenConnection = { channel: undefined, closing: new AbortController() };
  const { closing } = connection;
  const isClosed = (): boolean => closing.signal.aborted;
  openConnections.set(client, connection);
  const close = (): void => closing.abort();
  if (signal?.aborted) close();
  else signal?.addEventListener('abort', close, { once: true, signal: closing.signal });
  internals.createChannel = async () => {
    if (isClosed()) throw new Error('The connection is closed.');
    const channel = await createChannel();
    connection.channel = channel;
    // The client was closed during discovery, and its callers have their errors.
    if (isClosed()) channel.close();
    return channel;
  };
  internals.getChannel = () =>
    connection.channel !== undefined && isClosed() ? getChannel() : unlessAborted(getChannel(), closing.signal);
  // The client does not wait for it, so that its rejection, when no node can be found, would end the process.
  internals.handleError = (stub, error) => handleError(stub, error).catch(() => undefined);
  return client;
};

/** The client's dispose waits for all calls, also for unread ones, which never end. */
const maxDisposeMilliseconds = 1_000;

/** Ends the client's calls and its connection, which its dispose leaves open. Connects to nothing, and never rejects. */
export const disconnect = async (client: EventStoreDBClient): Promise<void> => {
  const connection = openConnections.get(client);
  connection?.closing.abort();
  await Promise.race([client.dispose().catch(() => undefined), sleep(maxDisposeMilliseconds)]);
  connection?.channel?.close();
};
