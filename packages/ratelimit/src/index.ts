/** `@septet/ratelimit`: limits that all processes share, by a policy and a Redis. */
export type { CallerOutcome } from './caller-operations';
export type { CallerLimits, CallerStore } from './caller-store';
export type { Fault } from './checks';
export type { Decision, LimitAnswer, Limiter, LimitRequest, SettleOutcome, Settling, Weight } from './decision';
export type { Dimension, Dimensions } from './dimensions';
export { type About, type Allowance, allowanceOf, type LimitedOptions, limited } from './express';
export { limitHeaders } from './headers';
export { createLimiter, createLimiterAsync, type LimiterOptions, type PolicyLimiter } from './limiter';
export { localLimits } from './local';
export { memoryStore } from './memory-store';
export { type BegunCall, beginModelCall, type ModelCall, type ModelCallOptions } from './models/call';
export { type EstimateOptions, estimates } from './models/estimate';
export type { Answered, Ending } from './models/meter';
export { type ModelApi, type ModelRequest, readModelRequest } from './models/request';
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
} from './policy';
export { type ParsedPolicy, parsePolicy } from './policy-codec';
export {
  type CountsOptions,
  type OpenCounts,
  openQuotaCounts,
  type UsageBatch,
  type UsageLedger,
  type UsedPeriod,
  type UsedQuota,
} from './quota/counts';
export { openRedisStore, type RedisStore, type RedisStoreOptions } from './redis-store';
export { type Refusal, type RefusalBody, refusal } from './refused';
export { UnknownPlan } from './rules';
export type { LimitStore, LocalLimits, QuotaCounts, QuotaPeriod } from './store';
