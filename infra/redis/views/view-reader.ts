/** Queries of views in Redis: one row by its key. */
import { right } from 'fp-ts/Either';
import type { ViewReader } from '../../ports/views/view-store';
import { keyText } from '../../views/merge-row-changes';
import { unavailable } from '../../views/view-faults';
import { openRedis, script } from '../connection';
import { rowKey, stateKey } from './keys';
import { type Hash, rowOf } from './rows';
import { findScript } from './scripts';

/** Stands where the generation will; no view's name has such a character. */
const hole = '\0';

const hashOf = (pairs: readonly string[]): Hash =>
  Object.fromEntries(pairs.flatMap((field, index) => (index % 2 === 0 ? [[field, pairs[index + 1] as string]] : [])));

export const openRedisReader = (url: string): ViewReader => {
  const redis = openRedis(url);
  const find = script(redis, 'septetFind', findScript);
  return {
    find: async (view, tenantId, key) => {
      const [before = '', after = ''] = rowKey(view, hole, keyText(view, { ...key, tenantId })).split(hole);
      try {
        const pairs = (await find([stateKey(view)], before, after)) as readonly string[];
        return pairs.length === 0 ? right(undefined) : rowOf(view, hashOf(pairs));
      } catch {
        return unavailable('Redis does not answer.');
      }
    },
    page: ({ name }) => Promise.reject(new Error(`${name} is in Redis, which has no pages`)),
    checkpoint: async (view) => {
      try {
        const active = await redis.hget(stateKey(view), 'active');
        if (active === null) return right(undefined);
        const position = await redis.hget(stateKey(view), `${active}:position`);
        return right(position === null || position === '' ? null : BigInt(position));
      } catch {
        return unavailable('Redis does not answer.');
      }
    },
    close: async () => redis.disconnect(),
  };
};
