/** What one process reserved of its shares, until it is settled or too old. */
import type { LocalState } from './local-state';
import type { Settled, Settlement } from './settle';
import { settledMilliseconds } from './settle-script';

export interface Taken {
  readonly state: LocalState;
  readonly by: number;
  cost: number;
}

export interface Reserved {
  /** Undefined where it was over, and so not charged. */
  readonly taken: readonly (Taken | undefined)[];
  readonly context: string;
  until: number;
  isSettled: boolean;
}

export interface LocalReserved {
  readonly put: (key: string, one: Reserved) => void;
  readonly get: (key: string, now: number) => Reserved | undefined;
  readonly settle: (settlement: Settlement, now: number) => Settled;
  readonly size: () => number;
}

const settled = (one: Reserved, { actual, final }: Settlement, now: number): Settled => {
  if (one.isSettled) return { outcome: 'settled-before', changes: one.taken.map(() => 0) };
  one.isSettled = final;
  if (final) one.until = Math.min(one.until, now + settledMilliseconds * 1_000);
  const changes = one.taken.map((taken, index) => {
    const came = actual[index];
    if (taken === undefined || came === undefined || (came <= taken.cost && !final)) return 0;
    const change = came - taken.cost;
    taken.state.correct(taken.by, change, now);
    taken.cost = came;
    return change;
  });
  return { outcome: 'settled', changes };
};

/** The oldest are let go of: what they took stays taken, and ends by itself. */
export const openLocalReserved = (most: number): LocalReserved => {
  const kept = new Map<string, Reserved>();
  const get = (key: string, now: number): Reserved | undefined => {
    const found = kept.get(key);
    return found === undefined || found.until <= now ? undefined : found;
  };
  return {
    put: (key, one) => {
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
      kept.set(key, one);
    },
    get,
    settle: (settlement, now) => {
      const one = get(settlement.reservation, now);
      return one === undefined ? { outcome: 'unknown', changes: [] } : settled(one, settlement, now);
    },
    size: () => kept.size,
  };
};
