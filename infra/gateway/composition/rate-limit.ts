/** The limits of this gateway, counted with all others that share its Redis; alone where there is none. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter, memoryStore, openRedisStore, type QuotaCounts } from '../../../packages/ratelimit/src/index';
import type { StoreWarning } from '../../../packages/ratelimit/src/limit-store';
import type { Opened } from '../opened';
import { type RateLimit, rateLimit } from '../rate-limit';
import { type Failures, type FailuresOptions, failureGroup, openFailures } from '../rate-limit-failures';
import { callerRulesOf, groupNamesOf, limitedGroupsOf, policyGiven } from '../rate-limit-given';
import { limitGroups } from '../rate-limit-routes';

/** Others count in the same store. */
const namespace = 'gateway';

export const openRateLimit = ({ config, context, closing }: Opened, counts?: QuotaCounts): RateLimit => {
  const { REDIS_URL: url, GATEWAY_COPIES: copies } = config;
  const policy = policyGiven(config);
  const onWarning = (warning: StoreWarning): void =>
    context.log.warn({ warning }, 'the store of limits is not fit for them');
  const store = url === undefined ? memoryStore() : openRedisStore({ url, onWarning });
  const counting = { store, processes: () => copies, ...(counts === undefined ? {} : { counts }) };
  const limiter = createLimiter({ ...counting, policy, namespace });
  closing.add('limits', async () => {
    await limiter.close();
    await store.close();
  });
  return rateLimit({
    limiter,
    holds: limiter.settles,
    groupOf: limitGroups(policy),
    limitedGroups: limitedGroupsOf(policy),
    log: context.log,
    metrics: context.metrics,
    pause: (milliseconds) => sleep(milliseconds),
  });
};

/** Undefined where an operator's own policy has no such group: then no rule of it is about them. */
export const openFailureLimit = (
  { config }: Opened,
  options: Omit<FailuresOptions, 'callerRules'>,
): Failures | undefined => {
  const policy = policyGiven(config);
  if (!groupNamesOf(policy).has(failureGroup)) return undefined;
  return openFailures({ ...options, callerRules: callerRulesOf(policy) });
};
