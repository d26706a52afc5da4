/** The stream of decisions in Redis: `ratelimit:decisions`, of about a day of one process, the oldest going first. */
import type Redis from 'ioredis';
import type { DecisionBatch } from './telemetry';

const name = 'ratelimit:decisions';
const mostEntries = 86_400;

export const appendTo =
  (redis: Redis) =>
  async ({ batch, from, to, decisions }: DecisionBatch): Promise<void> => {
    const fields = ['batch', batch, 'from', String(from), 'to', String(to), 'decisions', JSON.stringify(decisions)];
    await redis.xadd(name, 'MAXLEN', '~', mostEntries, '*', ...fields);
  };
