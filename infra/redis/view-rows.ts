/** All rows of a generation, a page at a time. */
import type Redis from 'ioredis';
import type { View } from '../ports/view-store';
import { indexKey } from './view-keys';
import { fieldsOf, type Hash } from './view-row';

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

export const removeRows = async (redis: Redis, view: View, generation: number | string): Promise<void> => {
  const index = indexKey(view, generation);
  for await (const keys of keyPages(redis, index)) await redis.unlink(...keys);
  await redis.unlink(index);
};
