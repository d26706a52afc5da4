/** Limits that descriptors bring along: each is a policy of one rule, cached while it is in use. */
import type { Dimension, Policy, PolicyLimiter } from '../../../packages/ratelimit/src/index';
import type { DescriptorGroup } from './descriptors';
import { createLimitRequest } from './descriptors';
import { type LimitOverride, unitSeconds } from './messages';

const maxLimiters = 256;
/** The longest period that a rule may have: a leap year. */
const maxPeriodSeconds = 366 * 86_400;

/** Undefined for a limit that cannot be counted. */
export const periodMillisecondsOf = ({ requestsPerUnit, unit, multiplier }: LimitOverride): number | undefined => {
  const seconds = unitSeconds[unit];
  if (seconds === undefined || requestsPerUnit === 0) return undefined;
  return multiplier >= 1 && seconds * multiplier <= maxPeriodSeconds ? seconds * multiplier * 1_000 : undefined;
};

const createOverridePolicy = (limit: number, periodMilliseconds: number, by: readonly Dimension[]): Policy => ({
  version: 'override',
  defaults: [
    {
      name: `override by ${by.join(' ')}`,
      by,
      limit: { algorithm: 'fixed-window', limit, periodMilliseconds },
      onStoreError: 'deny',
    },
  ],
});

/** Closes the least recently used limiter. */
const keepLimiter = (limiters: Map<string, PolicyLimiter>, name: string, limiter: PolicyLimiter): void => {
  limiters.delete(name);
  limiters.set(name, limiter);
  const [oldest] = limiters.keys();
  if (limiters.size <= maxLimiters || oldest === undefined) return;
  void limiters.get(oldest)?.close();
  limiters.delete(oldest);
};

export const createLimitOverrides = (limiterOf: (policy: Policy) => PolicyLimiter) => {
  const limiters = new Map<string, PolicyLimiter>();
  return {
    /** Undefined without an override. */
    limiterFor: (group: DescriptorGroup): PolicyLimiter | undefined => {
      const period = group.override === undefined ? undefined : periodMillisecondsOf(group.override);
      if (group.override === undefined || period === undefined) return undefined;
      const by = Object.keys(createLimitRequest(group, '').dimensions).sort() as Dimension[];
      const name = JSON.stringify([group.override.requestsPerUnit, period, by]);
      const limiter = limiters.get(name) ?? limiterOf(createOverridePolicy(group.override.requestsPerUnit, period, by));
      keepLimiter(limiters, name, limiter);
      return limiter;
    },
    close: async (): Promise<void> =>
      void (await Promise.all([...limiters.values()].map((limiter) => limiter.close()))),
  };
};
