/** First sight of an id where there is one gateway only. */
import { right } from 'fp-ts/Either';
import type { Once } from '../ports/once';

export const memoryOnce = (now: () => number = Date.now): Once => {
  const seen = new Map<string, number>();
  return {
    first: async (id, milliseconds) => {
      for (const [known, until] of seen) {
        if (until > now()) break;
        seen.delete(known);
      }
      if (seen.has(id)) return right(false);
      seen.set(id, now() + milliseconds);
      return right(true);
    },
    close: async () => undefined,
  };
};
