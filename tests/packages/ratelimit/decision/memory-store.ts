/** A store in memory, whole and exact: what one process lets pass of limits, with all of each as its share. */
import { localLimits } from '../../../../packages/ratelimit/src/local/local-limits';
import type { LimitStore } from '../../../../packages/ratelimit/src/store/limit-store';

export interface MemoryStore extends LimitStore {
  /** Moves its clock, in milliseconds. */
  readonly advance: (milliseconds: number) => void;
  readonly isAway: (away: boolean) => void;
  /** How often it was called. */
  readonly calls: () => number;
}

export const memoryStore = (): MemoryStore => {
  let [now, away, questions] = [1_700_000_000_000_000, false, 0];
  const limits = localLimits({ now: () => now });
  const due = { any: new Map<string, number>(), counted: new Map<string, number>() };
  const answer = async <A>(work: () => A): Promise<A | undefined> => {
    questions += 1;
    return away ? undefined : work();
  };
  return {
    decide: (mode, id, all) => {
      const charges = all.map((one) => ({ ...one, share: 1 }));
      return answer(() => ({ ...limits.decide(mode, id, charges), at: now }));
    },
    settle: (settlement) => answer(() => limits.settle(settlement)),
    context: (reservation) => answer(() => limits.context(reservation) ?? null),
    callers: {
      block: (caller, microseconds) => answer(() => limits.block(caller, microseconds)),
      reset: (caller) => answer(() => limits.reset(caller)),
    },
    orphans: {
      add: async (reservation, milliseconds, kind) => due[kind].set(reservation, now + milliseconds * 1_000),
      remove: async (reservation, kind) => due[kind].delete(reservation),
      claimDue: async (most, kind) => [...due[kind]].flatMap(([name, at]) => (at <= now ? [name] : [])).slice(0, most),
    },
    close: async () => undefined,
    advance: (milliseconds) => {
      now += milliseconds * 1_000;
    },
    isAway: (isIt) => {
      away = isIt;
    },
    calls: () => questions,
  };
};
