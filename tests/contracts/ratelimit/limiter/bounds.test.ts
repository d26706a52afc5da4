/** What limits promise, stated without a model: how much passes at most, at least, and around the ends of windows. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import type { Limit } from '../../../../packages/ratelimit/src/policy/limit';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { type ControlledClock, openControlledClock } from './controlled-clock';

const numRuns = 30;
const periodMilliseconds = 60_000;
const period = periodMilliseconds * 1_000;

describe('limits on a real store', () => {
  let time: ControlledClock;
  before(async () => {
    time = openControlledClock((await valkeyForTests()).url, randomUUID());
  });
  after(() => time.store.close());

  const open = (limit: Limit) => {
    const [key, compiled] = [`limit:{${randomUUID()}}`, compileLimit(limit)];
    return async (cost = 1): Promise<boolean> => {
      const decided = await time.store.decide('take', randomUUID(), [{ key, limit: compiled, cost }]);
      return decided?.outcome === 'admitted';
    };
  };
  const passing = async (take: () => Promise<boolean>, count: number): Promise<number> => {
    let passed = 0;
    for (let attempt = 0; attempt < count; attempt += 1) if (await take()) passed += 1;
    return passed;
  };
  const rate = { limit: fc.integer({ min: 1, max: 40 }), burst: fc.integer({ min: 1, max: 20 }) };

  it('let no more pass in any span than a bucket holds and what comes back in it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record(rate),
        fc.array(fc.tuple(fc.nat(4_000_000), fc.integer({ min: 1, max: 4 })), { maxLength: 60 }),
        async ({ limit, burst }, requests) => {
          const take = open({ name: 'b', algorithm: 'token-bucket', limit, burst, periodMilliseconds });
          const passed: { readonly at: number; readonly cost: number }[] = [];
          for (const [step, cost] of requests) {
            time.advance(step);
            if (await take(cost)) passed.push({ at: time.now(), cost });
          }
          for (const [index, from] of passed.entries()) {
            let sum = 0;
            for (const { at, cost } of passed.slice(index)) {
              sum += cost;
              assert.ok(sum * period <= burst * period + limit * (at - from.at), `${sum} in ${at - from.at} µs`);
            }
          }
        },
      ),
      { numRuns },
    ));

  it('starve no caller: small requests get all refilled units while larger ones are refused', () =>
    fc.assert(
      fc.asyncProperty(fc.record(rate), fc.integer({ min: 2, max: 5 }), async ({ limit, burst }, often) => {
        const take = open({ name: 'b', algorithm: 'token-bucket', limit, burst, periodMilliseconds });
        await passing(take, burst);
        const step = Math.floor(period / limit / often);
        let passed = 0;
        for (let turn = 0; turn < 12 * often; turn += 1) {
          time.advance(step);
          assert.equal(await take(burst + 1), false);
          if (await take()) passed += 1;
        }
        // A bucket of one holds nothing of what comes back between two questions.
        const each = burst === 1 ? period / limit + step : period / limit;
        assert.ok(passed >= Math.floor((12 * often * step) / each), `${passed} passed`);
      }),
      { numRuns },
    ));

  it('let around the end of a window what each kind is known for: twice the limit, or no more than before', async () => {
    const around = async (limit: Limit): Promise<readonly [before: number, after: number, later: number]> => {
      const take = open(limit);
      time.advance(period - (time.now() % period) - 1_000);
      const before = await passing(take, 15);
      time.advance(2_000);
      const after = await passing(take, 15);
      time.advance(period / 2);
      return [before, after, await passing(take, 15)];
    };
    const named = { name: 'l', limit: 10, periodMilliseconds };
    assert.deepEqual(await around({ ...named, algorithm: 'fixed-window' }), [10, 10, 0]);
    assert.deepEqual(await around({ ...named, algorithm: 'sliding-log' }), [10, 0, 0]);
    assert.deepEqual(await around({ ...named, algorithm: 'sliding-counter' }), [10, 0, 5]);
    assert.deepEqual(await around({ ...named, algorithm: 'token-bucket', burst: 10 }), [10, 0, 5]);
  });

  it('pass a queue at its rate, and refuse requests above its longest wait', async () => {
    const queue = { algorithm: 'leaky-bucket', limit: 60, longestWaitMilliseconds: 3_000 } as const;
    const [key, limit] = [`limit:{${randomUUID()}}`, compileLimit({ ...queue, name: 'q', periodMilliseconds })];
    const turns: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const decided = await time.store.decide('take', randomUUID(), [{ key, limit, cost: 1 }]);
      turns.push(decided?.outcome === 'admitted' ? decided.turnMicroseconds : undefined);
    }
    assert.deepEqual(turns, [0, 1_000_000, 2_000_000, 3_000_000, undefined, undefined]);
  });
});
