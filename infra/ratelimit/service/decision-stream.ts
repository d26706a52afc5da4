/** The stream of decisions in Redis: `ratelimit:decisions`, of about a day of one process, the oldest going first. */
import type Redis from 'ioredis';
import type { DecisionBatch } from './decision-telemetry';

const streamKey = 'ratelimit:decisions';
const maxEntries = 86_400;
/** Of the same Redis that counts: what is told of many tenants is not to crowd out their limits. */
const maxBytes = 134_217_728;
/** Of entries, until it is known better, and how many say so: one that is large for once lets go of nothing. */
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
