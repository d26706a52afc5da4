/** Tails the stream that a view's writer appends to: entries of a field `row` (JSON) or `beat`. */
import Redis from 'ioredis';
import type { ChangeFeed, ChangeFeedEntry } from '../../../ports/views/change-feed';
import { redisAt } from '../../../server/runtime/redis-address';
import { createCluster, type RedisConnection } from '../connection';
import { feedKey } from './keys';

const waitMilliseconds = 1_000;
const mostEntries = 1_000;

interface StreamEntry {
  readonly id: string;
  readonly field: string | undefined;
  readonly value: string;
}

const read = async (
  redis: RedisConnection,
  key: string,
  after: string,
  wait: boolean,
): Promise<readonly StreamEntry[]> => {
  const answer = wait
    ? await redis.xread('COUNT', mostEntries, 'BLOCK', waitMilliseconds, 'STREAMS', key, after)
    : await redis.xread('COUNT', mostEntries, 'STREAMS', key, after);
  return (answer?.[0]?.[1] ?? []).map(([id, [field, value = 'null']]) => ({ id, field, value }));
};

const entryOf = ({ id, field, value }: StreamEntry, live: boolean): ChangeFeedEntry | undefined => {
  if (field === 'row') return { kind: 'row', row: JSON.parse(value), at: Number(id.split('-')[0]) };
  return field === 'beat' && live ? { kind: 'beat', payload: JSON.parse(value) } : undefined;
};

const open = (address: string): RedisConnection => {
  // A lost or silent connection ends the feed; the reader starts again from the retained entries, without a gap. So does a slot that moved.
  const options = { maxRetriesPerRequest: 0, commandTimeout: 5 * waitMilliseconds };
  const at = redisAt(address);
  const redis =
    'url' in at
      ? new Redis(at.url, { lazyConnect: true, retryStrategy: () => null, ...options })
      : createCluster(at.cluster, {
          lazyConnect: true,
          clusterRetryStrategy: () => null,
          maxRedirections: 0,
          redisOptions: options,
        });
  redis.on('error', () => undefined);
  return redis;
};

export const createRedisChangeFeed = (url: string, view: string): ChangeFeed => ({
  follow: async function* (signal) {
    const redis = open(url);
    const stop = (): void => redis.disconnect();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await redis.connect();
      let after = '0';
      for (let live = false; !signal.aborted; ) {
        const entries = await read(redis, feedKey(view), after, live);
        for (const entry of entries) {
          const change = entryOf(entry, live);
          if (change !== undefined) yield change;
        }
        after = entries.at(-1)?.id ?? after;
        live ||= entries.length < mostEntries;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      redis.disconnect();
    }
  },
});
