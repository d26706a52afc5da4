/** Which event a log has at a position. */
import { BACKWARDS, END, type EventStoreDBClient, FORWARDS } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';

/** Reads to the end: a read that is broken off stays open, and the client's end waits a second for it. */
const readIdAt = async (client: EventStoreDBClient, position: bigint): Promise<string | undefined> => {
  const fromPosition = { commit: position, prepare: position };
  let id: string | undefined;
  for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition, maxCount: 1 }))
    if (event?.position.commit === position) id = event.id;
  return id;
};

/** EventStoreDB's only sign that no record begins at the position. */
const isRefused = (error: unknown): boolean => Object(error).code === status.UNKNOWN;

const attempts = 2;

/** The id of the event at exactly this position; undefined when there is none. Throws when the server does not answer. */
export const eventIdAt = async (client: EventStoreDBClient, position: bigint): Promise<string | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readIdAt(client, position);
    } catch (error) {
      if (!isRefused(error)) throw error;
      // Throws where the server refuses other reads, too.
      for await (const _ of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
      if (attempt === attempts) return undefined;
    }
  }
};
