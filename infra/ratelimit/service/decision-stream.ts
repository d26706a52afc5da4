/** The stream of decisions in Redis: `ratelimit:decisions`, of about a day of one process, the oldest going first. */
import type Redis from 'ioredis';
import type { DecisionBatch } from './telemetry';

const name = 'ratelimit:decisions';
const mostEntries = 86_400;
/** Of the same Redis that counts: what is told of many tenants is not to crowd out their limits. */
const mostBytes = 134_217_728;
/** Of entries, until it is known better, and how many say so: one that is large for once lets go of nothing. */
const [usualBytes, sayingSo] = [1_024, 256];

export const appendTo = (redis: Pick<Redis, 'xadd'>) => {
  let average = usualBytes;
  return async ({ batch, from, to, decisions }: DecisionBatch): Promise<void> => {
    const told = JSON.stringify(decisions);
    average += (told.length - average) / sayingSo;
    const most = Math.min(mostEntries, Math.ceil(mostBytes / average));
    const fields = ['batch', batch, 'from', String(from), 'to', String(to), 'decisions', told];
    await redis.xadd(name, 'MAXLEN', '~', most, '*', ...fields);
  };
};
