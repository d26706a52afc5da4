/** Encodes rows as hashes of JSON fields, and pages through the rows of a generation. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type Redis from 'ioredis';
import { decode } from '../../../domain/kernel/codec';
import type { View, ViewFault, ViewRow } from '../../ports/views/view-store';
import { unavailable } from '../../views/view-faults';
import { indexKey, rowKey, stateKey } from './keys';

export type Hash = Readonly<Record<string, string>>;

const fieldsOf = (hash: Hash): unknown =>
  Object.fromEntries(Object.entries(hash).map(([field, value]) => [field, JSON.parse(value)]));

export const rowOf = <Row extends ViewRow>(view: View<Row>, hash: Hash): Either<ViewFault, Row> => {
  const decoded = decode(view.row, fieldsOf(hash));
  return isLeft(decoded) ? unavailable('The view is of another version; it is being rebuilt.') : right(decoded.right);
};

const pageRows = 500;

async function* keyPages(redis: Redis, index: string): AsyncGenerator<readonly string[]> {
  for (let start = 0; ; start += pageRows) {
    const keys = await redis.zrange(index, start, start + pageRows - 1);
    if (keys.length === 0) return;
    yield keys;
  }
}

export async function* rowsOf(redis: Redis, view: View, generation: number): AsyncGenerator<unknown> {
  for await (const keys of keyPages(redis, indexKey(view, generation))) {
    const pipeline = redis.pipeline();
    for (const key of keys) pipeline.hgetall(key);
    for (const [, fields] of (await pipeline.exec()) ?? []) yield fieldsOf(fields as Hash);
  }
}

/** For keys that no index names any more: reads the names of all keys of the server. */
const removeMatching = async (redis: Redis, pattern: string, isKept: (key: string) => boolean): Promise<void> => {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
    const removed = keys.filter((key) => !isKept(key));
    if (removed.length > 0) await redis.unlink(...removed);
    cursor = next;
  } while (cursor !== '0');
};

export const removeRows = async (redis: Redis, view: View, generation: number | string): Promise<void> => {
  const index = indexKey(view, generation);
  const known = Number((await redis.hget(stateKey(view), `${generation}:rows`)) ?? 0);
  let removed = 0;
  for await (const keys of keyPages(redis, index)) {
    await redis.unlink(...keys);
    removed += keys.length;
  }
  await redis.unlink(index);
  if (removed < known) await removeMatching(redis, rowKey(view, generation, '*'), () => false);
};

/** What is left of generations whose state was lost. */
export const removeOtherGenerations = async (redis: Redis, view: View, generation: number): Promise<void> => {
  const own = rowKey(view, generation, '');
  await removeMatching(redis, rowKey(view, '*', '*'), (key) => key.startsWith(own));
  await removeMatching(redis, indexKey(view, '*'), (key) => key === indexKey(view, generation));
};
