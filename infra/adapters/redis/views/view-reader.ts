/** Queries of views in Redis: rows by their keys. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { View, ViewFault, ViewReader, ViewRow } from '../../../ports/views/view-store';
import { checkKeyCount } from '../../views/key-limit';
import { keyText } from '../../views/merge-row-changes';
import { unavailable } from '../../views/view-faults';
import { openRedis, script } from '../connection';
import { indexKey, rowKey, stateKey } from './keys';
import { type Hash, rowOf } from './rows';
import { checkpointScript, findScript } from './scripts';

/** Stands where the generation will; no view's name has such a character. */
const hole = '\0';

const notBuilt = (): Either<ViewFault, never> => unavailable('The view is not built yet.');

const hashOf = (pairs: readonly string[]): Hash => {
  const hash: Record<string, string> = {};
  for (let at = 0; at < pairs.length; at += 2) hash[pairs[at] as string] = pairs[at + 1] as string;
  return hash;
};

export const openRedisReader = (url: string): ViewReader => {
  const redis = openRedis(url);
  const find = script(redis, 'septetFind', findScript);
  const checkpoint = script(redis, 'septetCheckpoint', checkpointScript);
  const rowsAt = async <Row extends ViewRow>(
    view: View<Row>,
    tenantId: string,
    keys: readonly Partial<Row>[],
  ): Promise<Either<ViewFault, readonly (Row | undefined)[]>> => {
    const places = keys.map((key) => rowKey(view, hole, keyText(view, { ...key, tenantId })).split(hole));
    const [[before = ''] = []] = places;
    const index = indexKey(view, hole).split(hole);
    const rows: (Row | undefined)[] = [];
    try {
      const found = await find([stateKey(view)], ...index, before, ...places.map(([, after = '']) => after));
      if (found === null) return notBuilt();
      if (found === 'lost') return unavailable('The view was lost and is being built again.');
      for (const pairs of found as readonly (readonly string[])[]) {
        const row = pairs.length === 0 ? right(undefined) : rowOf(view, hashOf(pairs));
        if (isLeft(row)) return row;
        rows.push(row.right);
      }
      return right(rows);
    } catch {
      return unavailable('Redis does not answer.');
    }
  };
  return {
    find: async (view, tenantId, key) => {
      const rows = await rowsAt(view, tenantId, [key]);
      return isLeft(rows) ? rows : right(rows.right[0]);
    },
    findMany: async (view, tenantId, keys) => {
      checkKeyCount(keys);
      return keys.length === 0 ? right([]) : rowsAt(view, tenantId, keys);
    },
    page: ({ name }) => Promise.reject(new Error(`${name} is in Redis, which has no pages`)),
    checkpoint: async (view) => {
      try {
        const position = (await checkpoint([stateKey(view)])) as string | null;
        if (position === null) return right(undefined);
        return right(position === '' ? null : BigInt(position));
      } catch {
        return unavailable('Redis does not answer.');
      }
    },
    close: async () => redis.disconnect(),
  };
};
