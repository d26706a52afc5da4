/** The log from a position on, filtered where it is kept, and decoded once. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { ReadAll, StoredEvent } from '../ports/event-store';
import { arrivals } from './arrivals';
import { passes } from './filter';
import { readRequest } from './read-request';

const requestOf = (request: ReadAll, count: number): Buffer =>
  Buffer.from(readRequest(request, count).serializeBinary());

export async function* readAll(client: EventStoreDBClient, request: ReadAll): AsyncGenerator<StoredEvent, void> {
  const { filter, limit = Number.MAX_SAFE_INTEGER } = request;
  let { after } = request;
  // What a server makes of a filter without prefixes is its own affair.
  let left = filter?.streams?.length === 0 || filter?.types?.length === 0 ? 0 : limit;
  while (left > 0) {
    // Forwards, the event at the position itself comes again.
    const count = Math.min(left + 1, Number.MAX_SAFE_INTEGER);
    let seen = 0;
    const before = after;
    for await (const events of arrivals(client, requestOf({ ...request, after }, count)))
      for (const event of events) {
        seen += 1;
        after = event.position;
        if (event.position === before || !passes(event, filter)) continue;
        yield event;
        left -= 1;
        if (left === 0) return;
      }
    // Of those that match there, some may not match here.
    if (seen < count) return;
  }
}
