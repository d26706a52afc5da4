/** Limits small enough to be met in a test. */
import { type RateLimitOptions, rateLimit } from '../../infra/gateway/rate-limit';
import { limitedGroupsOf } from '../../infra/gateway/rate-limit-given';
import { ownPolicy } from '../../infra/gateway/rate-limit-policy';
import { limitGroups } from '../../infra/gateway/rate-limit-routes';
import { createLimiter } from '../../packages/ratelimit/src/decision/limiter';
import type { Policy, Rule } from '../../packages/ratelimit/src/policy/policy';
import type { LimitStore } from '../../packages/ratelimit/src/store/limit-store';

export const limitedBy = (policy: Policy, store: LimitStore, around: Pick<RateLimitOptions, 'log' | 'metrics'>) => {
  const limiter = createLimiter({ policy, store });
  const groupOf = limitGroups(policy);
  const limitedGroups = limitedGroupsOf(policy);
  return rateLimit({
    ...around,
    limiter,
    holds: limiter.settles,
    groupOf,
    limitedGroups,
    pause: async () => undefined,
  });
};

/** So many, and the next one in a minute. */
export const slowly = (burst: number): Rule['limit'] => ({
  algorithm: 'token-bucket',
  limit: 1,
  periodMilliseconds: 60_000,
  burst,
});

/** The gateway's own groups of routes, and no rules but these. */
export const only = (...rules: readonly Rule[]): Policy => ({ ...ownPolicy, version: 'test', defaults: rules });

/** The gateway's own rules, each with room for so few; those of the others named are left out. */
export const ownRules = (burst: number, ...names: readonly string[]): Policy =>
  only(...ownPolicy.defaults.flatMap((rule) => (names.includes(rule.name) ? [{ ...rule, limit: slowly(burst) }] : [])));
