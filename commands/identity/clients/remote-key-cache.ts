/** Keys of other parties by address, cached for minutes: they rotate, and an unknown key may be a new one. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface RemoteKeyCache<Key> {
  /** Undefined: the keys are unavailable. `refetch`: the cached keys did not verify and may have changed. */
  readonly at: (address: string, refetch: boolean) => Promise<readonly Key[] | undefined>;
}

interface CachedKeys<Key> {
  readonly keys: Promise<readonly Key[] | undefined>;
  readonly since: number;
}

const freshMilliseconds = 300_000;
/** Bounds refetches that invalid signatures cause. */
const refetchCooldownMilliseconds = 30_000;
const maxAddresses = 1_000;

export const createRemoteKeyCache = <Key>(
  fetchKeys: (address: string) => Promise<readonly Key[] | undefined>,
  now: () => number,
): RemoteKeyCache<Key> => {
  const cache = new LRUCache<string, CachedKeys<Key>>({ max: maxAddresses });
  const keep = (name: string, address: string): CachedKeys<Key> => {
    const entry = { keys: fetchKeys(address), since: now() };
    cache.set(name, entry);
    return entry;
  };
  return {
    at: async (address, refetch) => {
      const name = createHash('sha256').update(address).digest('base64url');
      const cached = cache.get(name);
      const age = cached === undefined ? Number.POSITIVE_INFINITY : now() - cached.since;
      if (cached === undefined || age > (refetch ? refetchCooldownMilliseconds : freshMilliseconds))
        return keep(name, address).keys;
      const keys = await cached.keys;
      // Retries failed fetches after the cooldown, not on every request.
      return keys === undefined && age > refetchCooldownMilliseconds ? keep(name, address).keys : keys;
    },
  };
};
