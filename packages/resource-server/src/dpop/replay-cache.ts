/** Replay cache of DPoP proofs: local, and shared between servers. */
import { type Either, left, right } from '../verification/either';

export interface ReplayCache {
  /** Right: whether this is the first use. Left: unknown. */
  readonly first: (id: string, milliseconds: number) => Promise<Either<unknown, boolean>>;
}

/** A full cache returns Left and evicts nothing: an evicted proof that has not expired could be replayed. */
export const memoryReplayCache = (now: () => number = Date.now, most = 200_000): ReplayCache => {
  const seen = new Map<string, number>();
  const forget = (): void => {
    for (const [id, until] of seen) {
      // Entries have similar lifetimes; a longer one delays cleanup by at most a minute.
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

/** Bounds the wait for a store that accepts requests but does not answer. */
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

/** Checks the local cache, then the shared store. While the store is unavailable, replays are detected per server only. */
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
