/** Limits of every kind, what requests cost of them, and how time goes by. */
import * as fc from 'fast-check';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import type { Limit } from '../../../../packages/ratelimit/src/policy/limit';

/** From one a day to a million a second. */
const rate = {
  limit: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.constant(1_000_000)),
  periodMilliseconds: fc.constantFrom(1, 7, 60, 1_000, 60_000, 3_600_000, 86_400_000),
};
const named = { name: fc.constant('l') };
/** Counted by the microsecond; what is larger is counted by coarser ticks. */
const isFine = (limit: Limit): boolean => {
  const { packed } = compileLimit(limit);
  if (limit.algorithm === 'sliding-counter') return packed.readDoubleLE(2 + 2 * 8) === 1;
  const isDraining = limit.algorithm === 'token-bucket' || limit.algorithm === 'leaky-bucket';
  return !isDraining || packed.readDoubleLE(2 + 3 * 8) === 1;
};
const anyLimits: fc.Arbitrary<Limit> = fc.oneof(
  fc.record({
    ...named,
    ...rate,
    algorithm: fc.constant('token-bucket' as const),
    burst: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) }, fc.constantFrom(1_000, 1_000_000)),
  }),
  fc.record({
    ...named,
    ...rate,
    algorithm: fc.constantFrom('fixed-window' as const, 'sliding-log' as const, 'sliding-counter' as const),
  }),
  fc.record({
    ...named,
    ...rate,
    algorithm: fc.constant('leaky-bucket' as const),
    longestWaitMilliseconds: fc.integer({ min: 0, max: 5_000 }),
  }),
  fc.record({
    ...named,
    limit: fc.integer({ min: 1, max: 40 }),
    algorithm: fc.constant('concurrency' as const),
    leaseMilliseconds: fc.constantFrom(10, 1_000),
  }),
  fc.record({
    ...named,
    limit: rate.limit,
    algorithm: fc.constant('quota' as const),
    startsAt: fc.constant(0),
    endsAt: fc.constant(4_000_000_000_000),
  }),
);

export const anyLimit = anyLimits.filter(isFine);

/** Back as well: a store that was failed over to has a clock of its own. */
export const anyClockStep = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 3_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -2_000_000, max: 100_000_000_000 }) },
);
/** A few, or above a thousand so many thousandths of all that the limit holds. */
export const anyCost = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
  fc.integer({ min: 1_001, max: 2_000 }),
);
export const costOf = (wanted: number, limit: Limit): number => {
  const { capacity } = compileLimit(limit);
  const whole = wanted <= 1_000 ? wanted : Math.ceil(((wanted - 1_000) / 1_000) * capacity);
  return Math.min(whole, capacity);
};

/** How many cases of each; `RATELIMIT_RUNS` sets more. */
export const runCount = Number(process.env.RATELIMIT_RUNS ?? 300);
