/** Limits small enough to be met in a test. */

import { limitedGroupsOf } from '../../../infra/gateway/rate-limit/configured-policy';
import { defaultPolicy } from '../../../infra/gateway/rate-limit/default-policy';
import { createRateLimit, type RateLimitOptions } from '../../../infra/gateway/rate-limit/rate-limiter';
import { createLimitGroupOf } from '../../../infra/gateway/rate-limit/route-groups';
import { createLimiter } from '../../../packages/ratelimit/src/decision/limiter';
import type { Policy, Rule } from '../../../packages/ratelimit/src/policy/policy';
import type { LimitStore } from '../../../packages/ratelimit/src/store/limit-store';

export const rateLimitOf = (
  policy: Policy,
  store: LimitStore,
  around: Pick<RateLimitOptions, 'log' | 'metrics' | 'recordRefusal'>,
) => {
  const limiter = createLimiter({ policy, store });
  const groupOf = createLimitGroupOf(policy);
  const limitedGroups = limitedGroupsOf(policy);
  return createRateLimit({
    ...around,
    limiter,
    holds: limiter.needsSettlement,
    groupOf,
    limitedGroups,
    pause: async () => undefined,
  });
};

/** So many, and the next one in an hour: no machine is so slow that it comes within a test. */
export const slowBucket = (burst: number): Rule['limit'] => ({
  algorithm: 'token-bucket',
  limit: 1,
  periodMilliseconds: 3_600_000,
  burst,
});

/** The gateway's own groups of routes, and no rules but these. */
export const gatewayPolicyOf = (...rules: readonly Rule[]): Policy => ({
  ...defaultPolicy,
  version: 'test',
  defaults: rules,
});

/** The gateway's own rules, each with room for so few; those of the others named are left out. */
export const smallGatewayPolicy = (burst: number, ...names: readonly string[]): Policy =>
  gatewayPolicyOf(
    ...defaultPolicy.defaults.flatMap((rule) =>
      names.includes(rule.name) ? [{ ...rule, limit: slowBucket(burst) }] : [],
    ),
  );
