/** `@septet/ratelimit/limit-store`: the store of counters, for limits without a policy. */

export { type CompiledLimit, compileLimit } from './policy/compile-limit';
export { keyOf } from './policy/dimensions';
export type { BreakerMetrics } from './redis/circuit-breaker';
export type { StoreWarning } from './redis/eviction-health';
export type { IdempotencyStore } from './redis/idempotency-store';
export { openRedisStore } from './redis/redis-store';
export { newReservationId, reservationKey } from './reservations/reservation-id';
export type { LimitCharge, StoreDecision } from './store/limit-charge';
export type { LimitStore } from './store/limit-store';
