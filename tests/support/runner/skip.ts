/** Skips a test, or in a `before` hook its whole `describe`, with a reason that the runner prints at the end. */
import type { Context } from 'mocha';

const reasons = new Set<string>();

export const skip = (context: Context, reason: string): never => {
  reasons.add(reason);
  return context.skip();
};

/** For the runner's worker: the reasons since the last call. */
export const takeSkipReasons = (): readonly string[] => {
  const taken = [...reasons];
  reasons.clear();
  return taken;
};
