/** Opens the rate limiter and the failure limiter; counters are shared through Redis if configured. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLimiter,
  memoryStore,
  openRedisStore,
  type Policy,
  type QuotaCounts,
} from '../../../packages/ratelimit/src/index';
import type { StoreWarning } from '../../../packages/ratelimit/src/limit-store';
import { openRedis } from '../../adapters/redis/connection';
import { createRefusalRecorder } from '../../adapters/redis/ratelimit/refusal-recorder';
import { reportGatewayPolicy } from '../../adapters/redis/ratelimit/report-reader';
import type { RefusalRecorder } from '../../ports/rate-limit-reports';
import { policyPlaceOf, reportPolicy } from '../../ratelimit/policy-report';
import { redisAt } from '../../server/runtime/redis-address';
import type { GatewayContext } from '../config';
import { callerRulesOf, configuredPolicy, groupNamesOf, limitedGroupsOf } from '../rate-limit/configured-policy';
import {
  createFailureLimiter,
  type FailureLimiter,
  type FailureLimiterOptions,
  failureRouteGroup,
} from '../rate-limit/failure-limiter';
import { createRateLimit, type RateLimit } from '../rate-limit/rate-limiter';
import { createLimitGroupOf } from '../rate-limit/route-groups';

/** Namespace of the counters in the shared store. */
const namespace = 'gateway';

interface ReportOptions extends Pick<GatewayContext, 'closing' | 'context'> {
  readonly url: string;
  readonly policy: Policy;
}

/** For operators: the policy now, and refusals as they happen. Without Redis there are none. */
const openRefusalReports = ({ url, policy, closing, context }: ReportOptions): RefusalRecorder['record'] => {
  const redis = openRedis(url);
  const recorder = createRefusalRecorder(redis);
  closing.add('reports of refusals', async () => {
    await recorder.close();
    redis.disconnect();
  });
  const place = policyPlaceOf('GATEWAY_RATELIMIT_POLICY', context.env);
  void reportGatewayPolicy(redis, reportPolicy('gateway', policy, place)).catch(() => undefined);
  return recorder.record;
};

export const openRateLimit = ({ config, context, closing }: GatewayContext, counts?: QuotaCounts): RateLimit => {
  const { REDIS_URL: url, GATEWAY_COPIES: copies } = config;
  const policy = configuredPolicy(config);
  const onWarning = (warning: StoreWarning): void =>
    context.log.warn({ warning }, 'the store of limits is misconfigured');
  const store = url === undefined ? memoryStore() : openRedisStore({ ...redisAt(url), onWarning });
  const counting = { store, processes: () => copies, ...(counts === undefined ? {} : { counts }) };
  const limiter = createLimiter({ ...counting, policy, namespace });
  closing.add('limits', async () => {
    await limiter.close();
    await store.close();
  });
  const recordRefusal = url === undefined ? undefined : openRefusalReports({ url, policy, closing, context });
  return createRateLimit({
    ...(recordRefusal === undefined ? {} : { recordRefusal }),
    limiter,
    holds: limiter.needsSettlement,
    groupOf: createLimitGroupOf(policy),
    limitedGroups: limitedGroupsOf(policy),
    log: context.log,
    metrics: context.metrics,
    pause: (milliseconds) => sleep(milliseconds),
  });
};

/** Undefined: the configured policy has no rule for failed requests. */
export const openFailureLimit = (
  { config }: GatewayContext,
  options: Omit<FailureLimiterOptions, 'callerRules'>,
): FailureLimiter | undefined => {
  const policy = configuredPolicy(config);
  if (!groupNamesOf(policy).has(failureRouteGroup)) return undefined;
  return createFailureLimiter({ ...options, callerRules: callerRulesOf(policy) });
};
