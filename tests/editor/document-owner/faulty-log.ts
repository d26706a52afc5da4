/** A log whose answers get lost, whose requests get lost or come late, and a process on it that can end between any two steps. */
import { left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { DocumentLeases } from '../../../infra/ports/editor/document-leases';
import type { EventStore } from '../../../infra/ports/event-store';

export type LogFault = 'works' | 'unavailable' | 'answer-lost' | 'request-lost' | 'late';
type Store = Pick<EventStore, 'append' | 'read'>;

const never = new Promise<never>(() => undefined);
const ambiguous = left(fault('event-store-ambiguous', 'The answer was lost.'));
const away = left(fault('event-store-unavailable', 'Away.'));

export interface FaultyLog {
  readonly store: Store;
  /** Whatever is still on its way arrives. */
  readonly arrive: () => Promise<void>;
}

/** A `late` append reaches the log after `delay` further calls. */
export const openFaultyLog = (store: Store, moodOf: (what: 'append' | 'read') => LogFault, delay = 3): FaultyLog => {
  const onTheirWay: { calls: number; readonly go: () => Promise<unknown> }[] = [];
  const arrive = async (calls: number): Promise<void> => {
    for (const late of onTheirWay) late.calls -= calls;
    for (let late = onTheirWay[0]; late !== undefined && late.calls <= 0; late = onTheirWay[0]) {
      onTheirWay.shift();
      await late.go();
    }
  };
  return {
    arrive: () => arrive(Number.POSITIVE_INFINITY),
    store: {
      append: async (...parameters) => {
        await arrive(1);
        const mood = moodOf('append');
        if (mood === 'unavailable') return away;
        if (mood === 'works') return store.append(...parameters);
        if (mood === 'late') onTheirWay.push({ calls: delay, go: () => store.append(...parameters) });
        if (mood === 'answer-lost') await store.append(...parameters);
        return ambiguous;
      },
      read: async (...parameters) => {
        await arrive(1);
        return moodOf('read') === 'works' ? store.read(...parameters) : away;
      },
    },
  };
};

/** After `end` nothing it begins is done, and nothing it began is answered. */
export const openMortalProcess = (store: Store, owners: DocumentLeases) => {
  const death = new AbortController();
  const dies = new Promise<'dead'>((resolve) => death.signal.addEventListener('abort', () => resolve('dead')));
  const guarded =
    <Arguments extends readonly unknown[], Answer>(call: (...parameters: Arguments) => Promise<Answer>) =>
    async (...parameters: Arguments): Promise<Answer> => {
      const answer = death.signal.aborted ? await never : await call(...parameters);
      return death.signal.aborted ? never : answer;
    };
  return {
    store: { append: guarded(store.append), read: guarded(store.read) },
    leases: {
      acquire: guarded(owners.acquire),
      renew: guarded(owners.renew),
      holderAddress: guarded(owners.holderAddress),
      release: guarded(owners.release),
      close: owners.close,
    },
    dies,
    end: () => death.abort(),
  };
};
