/** Encodes rows as hashes of JSON fields, and pages through the rows of a generation. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { decodeStored } from '../../../../domain/kernel/codec';
import type { ErasedValues, WhenErased } from '../../../ports/views/erasure';
import type { View, ViewFault, ViewRow } from '../../../ports/views/view-store';
import { subjectKeysOf } from '../../views/erase-rows';
import { unavailable } from '../../views/view-faults';
import { type RedisConnection, serversOf } from '../connection';
import { generationPrefix, indexKey, stateKey, subjectKey, subjectPrefix, whenErasedField } from './keys';

export type Hash = Readonly<Record<string, string>>;

const fieldsOf = (hash: Hash): unknown => {
  const fields: Record<string, unknown> = {};
  for (const field of Object.keys(hash))
    if (field !== whenErasedField) fields[field] = JSON.parse(hash[field] as string);
  return fields;
};

const valuesAsText = (values: ErasedValues): ErasedValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, { value, next }]) => [
      key,
      { value: JSON.stringify(value ?? null), ...(next === undefined ? {} : { next: valuesAsText(next) }) },
    ]),
  );

/** Scripts copy values without reading them: Lua has neither `null` nor empty lists. */
export const whenErasedText = (whenErased: WhenErased): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(whenErased).map(([field, values]) => [field, valuesAsText(values)])),
  );

export const rowOf = <Row extends ViewRow>(view: View<Row>, hash: Hash): Either<ViewFault, Row> => {
  const decoded = decodeStored(view.row, fieldsOf(hash));
  return isLeft(decoded) ? unavailable('The view is of another version; it is being rebuilt.') : right(decoded.right);
};

const pageRows = 500;

async function* keyPages(redis: RedisConnection, index: string): AsyncGenerator<readonly string[]> {
  for (let start = 0; ; start += pageRows) {
    const keys = await redis.zrange(index, start, start + pageRows - 1);
    if (keys.length === 0) return;
    yield keys;
  }
}

export async function* rowsOf(redis: RedisConnection, view: View, generation: number): AsyncGenerator<unknown> {
  for await (const keys of keyPages(redis, indexKey(view, generation))) {
    const pipeline = redis.pipeline();
    for (const key of keys) pipeline.hgetall(key);
    for (const [, fields] of (await pipeline.exec()) ?? []) yield fieldsOf(fields as Hash);
  }
}

/** Sets in which these rows of a personal view are. */
const subjectSetsOf = async (
  redis: RedisConnection,
  prefix: string,
  keys: readonly string[],
): Promise<readonly string[]> => {
  const pipeline = redis.pipeline();
  for (const key of keys) pipeline.hmget(key, 'tenantId', whenErasedField);
  const sets = new Set<string>();
  for (const [, found] of (await pipeline.exec()) ?? []) {
    const [tenant, whenErased] = found as readonly (string | null)[];
    if (typeof tenant !== 'string' || typeof whenErased !== 'string') continue;
    const tenantId = JSON.parse(tenant) as string;
    for (const id of subjectKeysOf(JSON.parse(whenErased) as WhenErased)) sets.add(subjectKey(prefix, tenantId, id));
  }
  return [...sets];
};

/** For keys of one view that no index names any more: reads the names of all keys, of each server of a cluster. */
const removeMatching = async (
  redis: RedisConnection,
  pattern: string,
  isRetained: (key: string) => boolean,
): Promise<void> => {
  for (const server of await serversOf(redis)) {
    let cursor = '0';
    do {
      const [next, keys] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
      const removed = keys.filter((key) => !isRetained(key));
      // By way of the cluster, as a slot may move meanwhile. Keys of a view are in one.
      if (removed.length > 0) await redis.unlink(...removed);
      cursor = next;
    } while (cursor !== '0');
  }
};

/** Pattern of the rows, their index and, where the view is personal, the sets of subjects. */
const generationKeys = (view: View, generation: number | string): string => `${generationPrefix(view, generation)}*`;

export const removeRows = async (redis: RedisConnection, view: View, generation: number | string): Promise<void> => {
  const index = indexKey(view, generation);
  const known = Number((await redis.hget(stateKey(view), `${generation}:rows`)) ?? 0);
  const prefix = subjectPrefix(view, generation);
  let removed = 0;
  for await (const keys of keyPages(redis, index)) {
    const sets = view.personal === true ? await subjectSetsOf(redis, prefix, keys) : [];
    await redis.unlink(...sets, ...keys);
    removed += keys.length;
  }
  await redis.unlink(index);
  if (removed >= known) return;
  await removeMatching(redis, generationKeys(view, generation), () => false);
};

/** What is left of generations whose state was lost. */
export const removeOtherGenerations = async (redis: RedisConnection, view: View, generation: number): Promise<void> => {
  const own = generationPrefix(view, generation);
  await removeMatching(redis, generationKeys(view, '[0-9]*'), (key) => key.startsWith(own));
};
