/** First sight of an id where there is one gateway only. */
import { right } from 'fp-ts/Either';
import type { ReplayCache } from '../../../ports/identity/replay-cache';

export const memoryReplayCache = (now: () => number = Date.now): ReplayCache => {
  const seen = new Map<string, number>();
  return {
    first: async (id, milliseconds) => {
      for (const [known, until] of seen) {
        if (until > now()) break;
        seen.delete(known);
      }
      // One that is remembered for longer may stand before it.
      if ((seen.get(id) ?? 0) > now()) return right(false);
      seen.delete(id);
      seen.set(id, now() + milliseconds);
      return right(true);
    },
    close: async () => undefined,
  };
};
