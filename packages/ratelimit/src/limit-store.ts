/** `@septet/ratelimit/limit-store`: the store beneath limiters, for limits that are asked about without a policy. */
export type { Asked, Decided } from './asked';
export type { BreakerFigures } from './breaker';
export { type Compiled, compile } from './compiled';
export { keyOf } from './dimensions';
export type { KeptAnswers } from './kept-answers';
export { openRedisStore } from './redis-store';
export { newReservationId, reservationKey } from './reservation-id';
export type { LimitStore } from './store';
export type { StoreWarning } from './store-health';
