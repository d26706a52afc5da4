/** In-memory twin of the expiring store in Redis, bounded, for a single gateway. */

import { right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import type { ExpiringStore } from '../../../ports/identity/expiring-store';

interface Entry {
  readonly value: string;
  readonly until: number;
}

export const memoryExpiringStore = (now: () => number = Date.now, most = 10_000): ExpiringStore => {
  const entries = new LRUCache<string, Entry>({ max: most });
  const living = (name: string): Entry | undefined => {
    // The one that was written longest ago goes, as it would be the first to expire.
    const entry = entries.peek(name);
    if (entry === undefined || entry.until > now()) return entry;
    entries.delete(name);
    return undefined;
  };
  const set = (name: string, value: string, milliseconds: number): void =>
    void entries.set(name, { value, until: now() + milliseconds });
  return {
    find: async (name) => right(living(name)?.value),
    put: async (name, value, milliseconds) => right(set(name, value, milliseconds)),
    replace: async (name, value, milliseconds) => {
      if (living(name) === undefined) return right(false);
      set(name, value, milliseconds);
      return right(true);
    },
    remove: async (name) => right(void entries.delete(name)),
    close: async () => undefined,
  };
};
