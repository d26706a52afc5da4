/**
 * Detects servers that evict keys. An evicted key resets a limit, so a caller who fills the memory could reset their
 * own. With `noeviction` a full server refuses to count instead, and `onStoreError` applies.
 */
import type { Cluster, Redis } from 'ioredis';

/**
 * `may-evict`: bounded memory without `noeviction`. `has-evicted`: keys were evicted since the start. `replica`:
 * read-only. `unknown`: the server does not report it.
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

/** Health of all masters; `unknown` if one does not answer. */
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
