/** Which proofs were shown before: here, and by all servers that share a store. */
import { type Either, left, right } from '../verification/either';

export interface ReplayCache {
  /** Right: whether it is the first time. Left: it cannot be known. */
  readonly first: (id: string, milliseconds: number) => Promise<Either<unknown, boolean>>;
}

/** Full, it says that it does not know: to forget one that still counts would let it in again. */
export const memoryReplayCache = (now: () => number = Date.now, most = 200_000): ReplayCache => {
  const seen = new Map<string, number>();
  const forget = (): void => {
    for (const [id, until] of seen) {
      // All count for about as long; one that does for longer delays the others by a minute.
      if (until > now()) return;
      seen.delete(id);
    }
  };
  return {
    first: async (id, milliseconds) => {
      forget();
      if ((seen.get(id) ?? 0) > now()) return right(false);
      if (seen.size >= most) return left('full');
      seen.delete(id);
      seen.set(id, now() + milliseconds);
      return right(true);
    },
  };
};

/** A store that is paused says nothing for long; senders would wait for it one by one. */
const timeoutMilliseconds = 500;

const withTimeout = (result: Promise<Either<unknown, boolean>>): Promise<Either<unknown, boolean>> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(left('late')), timeoutMilliseconds);
    const settle = (answer: Either<unknown, boolean>): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    result.then(settle, () => settle(left('failed')));
  });

/**
 * Asks this process first, then the store that all share. While that is away this process still refuses what it has
 * seen itself: a proof that was stolen could then be shown once to each other server, for as long as it counts.
 */
export const sharedReplayCache = (
  shared: ReplayCache,
  away: () => void,
  own: ReplayCache = memoryReplayCache(),
): ReplayCache => ({
  first: async (id, milliseconds) => {
    const here = await own.first(id, milliseconds);
    if (here._tag === 'Left' || !here.right) return here;
    const everywhere = await withTimeout(shared.first(id, milliseconds));
    if (everywhere._tag === 'Right') return everywhere;
    away();
    return here;
  },
});
