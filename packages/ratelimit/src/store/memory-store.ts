/** Limits counted by one process alone, where there is nobody to share them with: in bounded memory, and gone with the process. */
import { type LocalOptions, localLimits } from '../local/local-limits';
import type { LimitStore } from './limit-store';

/** `share`: all of it is this process'. */
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
