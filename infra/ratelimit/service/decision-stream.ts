/** Appends decisions to the Redis stream `ratelimit:decisions`, which keeps about a day of one process. */
import type Redis from 'ioredis';
import type { DecisionBatch } from './decision-telemetry';

const streamKey = 'ratelimit:decisions';
const maxEntries = 86_400;
/** The counters are in the same Redis: many tenants' telemetry must not crowd them out. */
const maxBytes = 134_217_728;
/**
 * Initial average size of an entry, and the number of entries it is averaged over, so that a single large one trims
 * nothing.
 */
const [defaultEntryBytes, averagedEntries] = [1_024, 256];

export const createAppend = (redis: Pick<Redis, 'xadd'>) => {
  let average = defaultEntryBytes;
  return async ({ batch, from, to, decisions }: DecisionBatch): Promise<void> => {
    const encoded = JSON.stringify(decisions);
    average += (encoded.length - average) / averagedEntries;
    const maxLength = Math.min(maxEntries, Math.ceil(maxBytes / average));
    const fields = ['batch', batch, 'from', String(from), 'to', String(to), 'decisions', encoded];
    await redis.xadd(streamKey, 'MAXLEN', '~', maxLength, '*', ...fields);
  };
};
