/** Limits that descriptors bring along: each a policy of one rule, kept while it is asked for. */
import type { Dimension, Policy, PolicyLimiter } from '../../../packages/ratelimit/src/index';
import { limitRequestOf } from './descriptors';
import type { Group } from './groups';
import { type OverridingLimit, unitSeconds } from './messages';

const mostKept = 256;
/** Of what rules may say: a leap year. */
const longestSeconds = 366 * 86_400;

/** Undefined: the limit is none that could be counted. */
export const periodMillisecondsOf = ({ requestsPerUnit, unit, multiplier }: OverridingLimit): number | undefined => {
  const seconds = unitSeconds[unit];
  if (seconds === undefined || requestsPerUnit === 0) return undefined;
  return multiplier >= 1 && seconds * multiplier <= longestSeconds ? seconds * multiplier * 1_000 : undefined;
};

const policyOf = (limit: number, periodMilliseconds: number, by: readonly Dimension[]): Policy => ({
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

/** The one that was not asked for the longest time goes. */
const keep = (kept: Map<string, PolicyLimiter>, name: string, limiter: PolicyLimiter): void => {
  kept.delete(name);
  kept.set(name, limiter);
  const [oldest] = kept.keys();
  if (kept.size <= mostKept || oldest === undefined) return;
  void kept.get(oldest)?.close();
  kept.delete(oldest);
};

export const openOverrides = (limiterOf: (policy: Policy) => PolicyLimiter) => {
  const kept = new Map<string, PolicyLimiter>();
  return {
    /** Undefined: it brings none. */
    limiterFor: (group: Group): PolicyLimiter | undefined => {
      const period = group.override === undefined ? undefined : periodMillisecondsOf(group.override);
      if (group.override === undefined || period === undefined) return undefined;
      const by = Object.keys(limitRequestOf(group, '').dimensions).sort() as Dimension[];
      const name = JSON.stringify([group.override.requestsPerUnit, period, by]);
      const limiter = kept.get(name) ?? limiterOf(policyOf(group.override.requestsPerUnit, period, by));
      keep(kept, name, limiter);
      return limiter;
    },
    close: async (): Promise<void> => void (await Promise.all([...kept.values()].map((limiter) => limiter.close()))),
  };
};
