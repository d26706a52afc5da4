/** `@septet/ratelimit`: rate limits that all processes share, by a policy and a Redis. */
export type { CallerOutcome } from './decision/caller-operations';
export type {
  Decision,
  Limiter,
  LimitRequest,
  LimitStatus,
  Settlement,
  SettleOutcome,
  Weight,
} from './decision/decision';
export { createLimiter, createLimiterAsync, type LimiterOptions, type PolicyLimiter } from './decision/limiter';
export {
  type DenialBody,
  type DenialResponse,
  denialResponse,
  type RateLimitedBody,
  type RateLimitedResponse,
  type ReachedLimits,
  rateLimited,
} from './http/denial-response';
export {
  grantOf,
  type RateLimitGrant,
  type RateLimitMiddlewareOptions,
  type RequestContext,
  rateLimitMiddleware,
} from './http/express-middleware';
export { type HeaderLimit, limitHeaders } from './http/rate-limit-headers';
export { localLimits } from './local/local-limits';
export { type EstimateOptions, tokenEstimates } from './model-calls/estimate-tokens';
export { beginModelCall, type ModelCall, type ModelCallOptions, type ModelCallStart } from './model-calls/model-call';
export { type ModelApi, type ModelRequest, readModelRequest } from './model-calls/model-request';
export type { ResponseEnd, ResponseStart } from './model-calls/usage-meter';
export { UnknownPlan } from './policy/compile-policy';
export type { Dimension, Dimensions } from './policy/dimensions';
export type { Fault } from './policy/json-validation';
export { type ParsedPolicy, parsePolicy } from './policy/parse-policy';
export type {
  CalendarQuota,
  Cost,
  Match,
  OnStoreError,
  Override,
  Policy,
  RouteGroup,
  Rule,
  RuleLimit,
  Unit,
} from './policy/policy';
export {
  type OpenQuotaCounts,
  openQuotaCounts,
  type QuotaCountsOptions,
  type QuotaUsage,
  type QuotaUsageKey,
  type UsageBatch,
  type UsageLedger,
} from './quota/quota-counters';
export { openRedisStore, type RedisStore, type RedisStoreOptions } from './redis/redis-store';
export type { CallerLimits, CallerStore } from './store/caller-store';
export type { LimitStore, LocalLimits, QuotaCounts, QuotaPeriod } from './store/limit-store';
export { memoryStore } from './store/memory-store';
