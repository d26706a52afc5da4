/** Reads which event a log has at a position, over the official client. */
import { left, right } from 'fp-ts/Either';
import { connect, disconnect } from '../../../packages/eventstore-node/src/client';
import type { LogAnchors } from '../../ports/log-identity';
import { eventIdAt } from './event-id-at';
import { openEventStore } from './event-store';
import { unavailable } from './faults';

/** `signal`: calls that still look for a node fail. */
export const openLogAnchors = (url: string, signal?: AbortSignal): LogAnchors => {
  const store = openEventStore({ url, ...(signal === undefined ? {} : { signal }) });
  const client = connect(url, signal);
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
