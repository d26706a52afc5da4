/** The in-memory event store with counters, interference and lost answers, as the test sets them. */
import { left } from 'fp-ts/Either';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';

/** `lost`: written, but not answered. `dropped`: not written, and not answered. */
type Mishap = 'lost' | 'dropped' | 'away';

export interface UnreliableStore extends EventStore {
  readonly reads: () => number;
  readonly appends: () => number;
  /** What happens to the next appends, one each. */
  readonly mishaps: Mishap[];
  readonly readsFail: { now: boolean };
  /** Run before each append reaches the log. */
  readonly meanwhile: (() => Promise<unknown>)[];
}

const ambiguous: EventStoreFault = { kind: 'fault', code: 'event-store-ambiguous', detail: 'No answer.' };
const away: EventStoreFault = { kind: 'fault', code: 'event-store-unavailable', detail: 'Away.' };

export const openUnreliableStore = (store: EventStore = openMemoryEventStore()): UnreliableStore => {
  let [reads, appends] = [0, 0];
  const mishaps: Mishap[] = [];
  const meanwhile: (() => Promise<unknown>)[] = [];
  const readsFail = { now: false };
  return {
    ...store,
    read: async (stream, from) => {
      reads += 1;
      return readsFail.now ? left(away) : store.read(stream, from);
    },
    append: async (stream, expected, events) => {
      appends += 1;
      await meanwhile.shift()?.();
      const mishap = mishaps.shift();
      if (mishap === 'away') return left(away);
      if (mishap === 'dropped') return left(ambiguous);
      const appended = await store.append(stream, expected, events);
      return mishap === 'lost' ? left(ambiguous) : appended;
    },
    reads: () => reads,
    appends: () => appends,
    mishaps,
    meanwhile,
    readsFail,
  };
};
