/** One client of the event store, and how to be rid of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';

export const connect = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

/** The client's dispose waits for calls to end, also for those that never will because nobody reads them any more. */
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
