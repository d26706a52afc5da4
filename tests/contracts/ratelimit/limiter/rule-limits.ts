/** Limits of every kind as policies write them, small enough to meet. */
import * as fc from 'fast-check';
import type { RuleLimit } from '../../../../packages/ratelimit/src/policy/policy';

const limit = fc.integer({ min: 1, max: 12 });
const periodMilliseconds = fc.constantFrom(1, 7, 60, 1_000, 60_000, 3_600_000);
export const limits: { readonly [name: string]: fc.Arbitrary<RuleLimit> } = {
  bucket: fc.record({ algorithm: fc.constant('token-bucket'), limit, periodMilliseconds, burst: limit }),
  queue: fc.record({
    algorithm: fc.constant('leaky-bucket'),
    limit,
    periodMilliseconds,
    longestWaitMilliseconds: fc.constantFrom(0, 5, 40),
  }),
  window: fc.record({ algorithm: fc.constant('fixed-window'), limit, periodMilliseconds }),
  log: fc.record({ algorithm: fc.constant('sliding-log'), limit, periodMilliseconds }),
  counter: fc.record({ algorithm: fc.constant('sliding-counter'), limit, periodMilliseconds }),
  quota: fc.record({ algorithm: fc.constant('quota'), limit, per: fc.constantFrom('day', 'month') }),
  concurrency: fc.record({
    algorithm: fc.constant('concurrency'),
    limit,
    leaseMilliseconds: fc.constantFrom(10, 5_000),
  }),
};
