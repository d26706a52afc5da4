/** Limits counted by one process alone, where there is nobody to share them with: in bounded memory, and gone with the process. */
import { type LocalOptions, localLimits } from './local';
import type { LimitStore } from './store';

/** `share`: all of it is this process'. */
const whole = 1;

export const memoryStore = (options: LocalOptions = {}): LimitStore => {
  const local = localLimits(options);
  const due = new Map<string, number>();
  return {
    decide: async (mode, id, asked) =>
      local.decide(
        mode,
        id,
        asked.map((one) => ({ ...one, counted: one.counted ?? 0, share: whole })),
      ),
    settle: async (settlement) => local.settle(settlement),
    context: async (reservation) => local.context(reservation) ?? null,
    callers: {
      block: async (caller, microseconds) => local.block(caller, microseconds),
      reset: async (caller) => local.reset(caller),
    },
    orphans: {
      note: async (reservation, milliseconds) => due.set(reservation, performance.now() + milliseconds),
      forget: async (reservation) => due.delete(reservation),
      due: async (most) => {
        const now = performance.now();
        return [...due].flatMap(([reservation, at]) => (at <= now ? [reservation] : [])).slice(0, most);
      },
    },
    close: async () => undefined,
  };
};
