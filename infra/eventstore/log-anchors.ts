/** Reads which event a log has at a position, over the official client. */
import { left, right } from 'fp-ts/Either';
import type { LogAnchors } from '../ports/log-identity';
import { connect, disconnect } from './connection';
import { eventIdAt } from './event-id-at';
import { openEventStore } from './event-store';
import { unavailable } from './faults';

export const openLogAnchors = (url: string): LogAnchors => {
  const store = openEventStore({ url });
  const client = connect(url);
  return {
    newest: async () => {
      try {
        for await (const { position, id } of store.readAll({ after: null, direction: 'backwards', limit: 1 }))
          return right({ position, eventId: id });
        return right(null);
      } catch {
        return left(unavailable());
      }
    },
    eventAt: async (position) => {
      try {
        return right(await eventIdAt(client, position));
      } catch {
        return left(unavailable());
      }
    },
    head: store.head,
    close: async () => {
      await Promise.all([store.close(), disconnect(client)]);
    },
  };
};
