/** The log for those who look at it without any key: what is sealed is said to be, and under which key; ciphertext goes nowhere. */
import { isLeft, right } from 'fp-ts/Either';
import type { EventStore } from '../ports/event-store';
import type { LogPages, StreamReader } from '../ports/stream-pages';
import { maskedEvent } from './sealed-event';

export interface MaskedLog {
  readonly stream: StreamReader;
  readonly readAll: EventStore['readAll'];
  readonly close: () => Promise<void>;
}

export const maskedPages = ({ stream, readAll, close }: MaskedLog): LogPages => ({
  stream: async (page) => {
    const read = await stream(page);
    if (isLeft(read)) return read;
    const { events, cut } = read.right;
    return right({ events: events.map(maskedEvent), cut });
  },
  all: async function* (request) {
    for await (const event of readAll(request)) yield maskedEvent(event);
  },
  close,
});
