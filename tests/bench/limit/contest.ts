/** Decisions per second, how long one takes, and what it costs the store's processor. */
import type Redis from 'ioredis';
import { fromCallers, percentile } from '../measure';
import type { Contestant } from './contestants';

export interface Outcome {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the store's process, per decision. */
  readonly storeMicroseconds: number;
  /** Of the calling process, per decision. */
  readonly processMicroseconds: number;
}

const storeSeconds = async (redis: Redis): Promise<number> => {
  const text = await redis.info('cpu');
  const of = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1]);
  return of('used_cpu_user') + of('used_cpu_sys');
};

interface Load {
  readonly callers: number;
  readonly count: number;
  readonly userOf: (index: number) => string;
}

const once = async (redis: Redis, { take }: Contestant, { callers, count, userOf }: Load): Promise<Outcome> => {
  const milliseconds: number[] = [];
  const before = await storeSeconds(redis);
  const used = process.cpuUsage();
  const began = performance.now();
  await fromCallers(callers, count, async (index) => {
    const sentAt = performance.now();
    await take(userOf(index));
    milliseconds.push(performance.now() - sentAt);
  });
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  const seconds = (await storeSeconds(redis)) - before;
  return {
    perSecond: (count * 1_000) / took,
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    storeMicroseconds: (seconds * 1_000_000) / count,
    processMicroseconds: (user + system) / count,
  };
};

const rounds = 4;

/**
 * In turns, so that a slow moment of the machine slows all contestants; of each the best round counts, as the least
 * disturbed one.
 */
export const contest = async <Name extends string>(
  redis: Redis,
  contestants: { readonly [name in Name]: Contestant },
  load: Load,
): Promise<{ readonly [name in Name]: Outcome }> => {
  const best: Partial<Record<Name, Outcome>> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [name, contestant] of Object.entries(contestants) as [Name, Contestant][]) {
      const outcome = await once(redis, contestant, load);
      // The first warms everything up.
      if (round > 0 && outcome.perSecond > (best[name]?.perSecond ?? 0)) best[name] = outcome;
    }
  return best as Record<Name, Outcome>;
};
