/** Limit store in this process's bounded memory, for tests and single processes. */
import { type LocalOptions, localLimits } from '../local/local-limits';
import type { LimitStore } from './limit-store';

/** This process has the whole share. */
const fullShare = 1;

export const memoryStore = (options: LocalOptions = {}): LimitStore => {
  const local = localLimits(options);
  const due = new Map<string, number>();
  return {
    decide: async (mode, id, charges) =>
      local.decide(
        mode,
        id,
        charges.map((one) => ({ ...one, counted: one.counted ?? 0, share: fullShare })),
      ),
    settle: async (settlement) => local.settle(settlement),
    context: async (reservation) => local.context(reservation) ?? null,
    callers: {
      block: async (caller, microseconds) => local.block(caller, microseconds),
      reset: async (caller) => local.reset(caller),
    },
    orphans: {
      add: async (reservation, milliseconds) => due.set(reservation, performance.now() + milliseconds),
      remove: async (reservation) => due.delete(reservation),
      claimDue: async (max) => {
        const now = performance.now();
        return [...due].flatMap(([reservation, at]) => (at <= now ? [reservation] : [])).slice(0, max);
      },
    },
    close: async () => undefined,
  };
};
