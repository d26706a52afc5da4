/**
 * Whether the server may forget limits by itself. A key that is evicted is a limit that begins anew: whoever can fill the memory can make
 * their own limit forgotten. With `noeviction`, a full server refuses to count instead, and the rules say what happens then.
 */
import type { Cluster, Redis } from 'ioredis';

/**
 * `may-evict`: it has a bound of memory, and a policy other than `noeviction`. `has-evicted`: keys went that way since it started.
 * `replica`: it takes no writes. `unknown`: it does not say.
 */
export type StoreWarning = 'may-evict' | 'has-evicted' | 'replica' | 'unknown';

export interface StoreHealth {
  readonly warnings: readonly StoreWarning[];
  readonly evictedKeys: number;
}

const findField = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1];

const parseHealth = (text: string): StoreHealth => {
  const policy = findField(text, 'maxmemory_policy');
  const mayEvict = Number(findField(text, 'maxmemory') ?? 0) > 0 && policy !== 'noeviction';
  const evictedKeys = Number(findField(text, 'evicted_keys') ?? 0);
  const found: readonly (readonly [StoreWarning, boolean])[] = [
    ['may-evict', mayEvict],
    ['has-evicted', evictedKeys > 0],
    ['replica', findField(text, 'role') === 'slave'],
    ['unknown', policy === undefined],
  ];
  return { warnings: found.filter(([, holds]) => holds).map(([warning]) => warning), evictedKeys };
};

const mastersOf = (redis: Redis | Cluster): readonly Redis[] => ('nodes' in redis ? redis.nodes('master') : [redis]);

/** Of all its servers; `unknown` when one of them does not answer. */
export const readStoreHealth = async (redis: Redis | Cluster): Promise<StoreHealth> => {
  try {
    const all = await Promise.all(mastersOf(redis).map(async (server) => parseHealth(await server.info())));
    return {
      warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
      evictedKeys: all.reduce((sum, { evictedKeys }) => sum + evictedKeys, 0),
    };
  } catch {
    return { warnings: ['unknown'], evictedKeys: 0 };
  }
};
