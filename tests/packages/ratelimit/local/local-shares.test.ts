import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import type { Limit } from '../../../../packages/ratelimit/src/policy/limit';
import { asking, observe, stage } from './fixture';

const rate = {
  name: fc.constant('l'),
  limit: fc.integer({ min: 1, max: 50 }),
  periodMilliseconds: fc.constantFrom(1, 60, 1_000, 60_000),
};
const draining: fc.Arbitrary<Limit> = fc.oneof(
  fc.record({ ...rate, algorithm: fc.constant('token-bucket' as const), burst: fc.integer({ min: 1, max: 60 }) }),
  fc.record({
    ...rate,
    algorithm: fc.constant('leaky-bucket' as const),
    longestWaitMilliseconds: fc.integer({ min: 0, max: 5_000 }),
  }),
);
const counting: fc.Arbitrary<Limit> = fc.oneof(
  fc.record({
    ...rate,
    algorithm: fc.constantFrom('fixed-window' as const, 'sliding-log' as const, 'sliding-counter' as const),
  }),
  fc.record({
    name: fc.constant('l'),
    limit: rate.limit,
    algorithm: fc.constant('concurrency' as const),
    leaseMilliseconds: fc.constantFrom(10, 1_000),
  }),
);
const shares = fc.constantFrom(0.01, 0.125, 1 / 3, 0.5, 1);
const requests = fc.array(
  fc.record({ step: fc.integer({ min: 0, max: 400_000 }), cost: fc.integer({ min: 1, max: 4 }), flaps: fc.nat(9) }),
  { maxLength: 120 },
);

describe('shares of limits that one process lets pass, whatever comes', () => {
  it('never let more of a bucket pass than the share of what it held and of what came back', () => {
    fc.assert(
      fc.property(draining, shares, requests, (limit, share, steps) => {
        const { local, pass, wait } = stage();
        const { capacity } = compileLimit(limit);
        assert.ok('periodMilliseconds' in limit);
        let [admitted, elapsed] = [0, 0];
        for (const { step, cost: wanted, flaps } of steps) {
          wait(step);
          elapsed += step;
          const one = asking('k', limit, share, Math.min(wanted, capacity));
          // The store answers once in a while; what passed here meanwhile is not forgotten for that.
          if (flaps === 0) observe(local, one, { remaining: capacity });
          if (pass(one)) admitted += one.cost;
          const most = share * (capacity + (elapsed * limit.limit) / (limit.periodMilliseconds * 1_000));
          assert.ok(admitted <= most + 2e-6, `${admitted} of ${most}`);
        }
      }),
    );
  });

  it('never let more pass than the share in any span of the period', () => {
    fc.assert(
      fc.property(counting, shares, requests, (limit, share, steps) => {
        const { local, pass, wait } = stage();
        const span =
          'leaseMilliseconds' in limit
            ? limit.leaseMilliseconds
            : 'periodMilliseconds' in limit
              ? limit.periodMilliseconds
              : 0;
        const passed: { readonly at: number; readonly cost: number }[] = [];
        let at = 0;
        for (const { step, cost: wanted, flaps } of steps) {
          wait(step);
          at += step;
          const one = asking('k', limit, share, Math.min(wanted, limit.limit));
          if (flaps === 0) observe(local, one, { remaining: limit.limit });
          if (!pass(one)) continue;
          passed.push({ at, cost: one.cost });
          const within = passed.filter((other) => other.at > at - span * 1_000);
          const sum = within.reduce((total, { cost }) => total + cost, 0);
          assert.ok(sum <= Math.floor(limit.limit * share), `${sum} in a span`);
        }
      }),
    );
  });

  it('say truthfully when the same would pass, where the share has room for it at all', () => {
    fc.assert(
      fc.property(fc.oneof(draining, counting), shares, requests, (limit, share, steps) => {
        const { local, pass, wait } = stage();
        const { capacity } = compileLimit(limit);
        for (const { step, cost: wanted } of steps) {
          wait(step);
          const one = asking('k', limit, share, Math.min(wanted, capacity));
          const isCounting = limit.algorithm !== 'token-bucket' && limit.algorithm !== 'leaky-bucket';
          if (isCounting && one.cost > Math.floor(limit.limit * share)) continue;
          const [said] = local.decide('peek', 'id', [one]).limits;
          if (said?.over === true) wait(said.waitMicroseconds);
          assert.ok(pass(one));
        }
      }),
    );
  });
});
