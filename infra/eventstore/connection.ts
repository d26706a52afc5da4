/** One client of the event store, and how to be rid of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Metadata } from '@grpc/grpc-js';

export const connect = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

/** The client's dispose waits for all calls, also for unread ones, which never end. */
const longestDisposeMilliseconds = 1_000;

interface WithChannel {
  getChannel(): Promise<{ close(): void }>;
}

/** Ends the client's calls and its connection, which dispose leaves open. */
export const disconnect = async (client: EventStoreDBClient): Promise<void> => {
  await Promise.race([client.dispose(), sleep(longestDisposeMilliseconds)]);
  const channel = await (client as unknown as WithChannel).getChannel();
  channel.close();
};

/** What the client keeps for its own use: its connection to the right node, and how it finds another. */
export interface Connection {
  readonly getGRPCClient: <Stub>(stub: new (...args: never[]) => Stub, name: string) => Promise<Stub>;
  readonly callArguments: (base: object, options: CallOptions) => [Metadata, CallOptions];
  readonly handleError: (stub: unknown, error: Error) => Promise<void>;
}

export const connectionOf = (client: EventStoreDBClient): Connection => client as unknown as Connection;
