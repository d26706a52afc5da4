import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import Redis from 'ioredis';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import { createRequestBatcher } from '../../../../packages/ratelimit/src/redis/request-batcher';
import { createSettleCall } from '../../../../packages/ratelimit/src/store/limit-store';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { anyClockStep, anyCost, anyLimit, costOf, runCount } from './any-limits';
import { modelOf } from './model';
import { type RunAt, timedScripts } from './timed-scripts';

const settlements = fc.record({
  step: anyClockStep,
  cost: anyCost,
  /** Which of the admitted requests is settled then, and at what. */
  settled: fc.option(
    fc.record({ index: fc.nat(20), actual: fc.oneof(fc.nat(9), fc.nat(2_000_000)), final: fc.boolean() }),
  ),
});

describe('the scripts of limits and of settling, beside exact arithmetic', () => {
  let redis: Redis;
  let run: RunAt;
  let runSettlement: RunAt;
  before(async () => {
    redis = new Redis((await valkeyForTests()).url);
    ({ run, runSettlement } = timedScripts(redis));
  });
  after(() => redis.disconnect());

  it('answers as the model when what was reserved comes to more or less, on the way or in the end', () =>
    fc.assert(
      fc.asyncProperty(anyLimit, fc.array(settlements, { maxLength: 60 }), async (limit, steps) => {
        const tag = randomUUID();
        const model = modelOf(limit);
        const compiled = compileLimit(limit);
        const reserved: { id: string; cost: bigint; at: bigint; which: number; isSettled: boolean }[] = [];
        let clock = 1_700_000_000_000_000n;
        for (const { step, cost: wanted, settled } of steps) {
          clock += BigInt(step);
          const one = settled === null ? undefined : reserved[settled.index];
          if (one !== undefined && settled !== null) {
            const settlement = { reservation: `{${tag}}:${one.id}`, actual: [settled.actual], final: settled.final };
            const result = await createSettleCall(runSettlement(clock))(settlement);
            assert.equal(result.outcome, one.isSettled ? 'settled-before' : 'settled');
            const delta = BigInt(settled.actual) - one.cost;
            if (!one.isSettled && (delta > 0n || settled.final)) {
              model.correct(one, delta, clock);
              one.cost = BigInt(settled.actual);
            }
            one.isSettled ||= settled.final;
          }
          const cost = costOf(wanted, limit);
          const id = randomUUID();
          const mode = { reservation: `{${tag}}:${id}`, milliseconds: 600_000, context: '' };
          const decided = await createRequestBatcher(run(clock))(mode, id, [
            { key: `{${tag}}`, limit: compiled, cost, counted: 0 },
          ]);
          const expected = model.check(BigInt(cost), clock);
          const where = `${limit.algorithm} at ${clock}`;
          assert.equal(decided.outcome, expected.over ? 'refused' : 'admitted', where);
          assert.equal(BigInt(decided.limits[0]?.remaining ?? -1), expected.remaining, where);
          if (expected.over) continue;
          model.take(BigInt(cost), clock);
          reserved.push({ id, cost: BigInt(cost), at: clock, which: reserved.length, isSettled: false });
        }
        assert.notEqual(await redis.pttl(`{${tag}}`), -1, 'it goes by itself');
      }),
      { numRuns: runCount },
    )).timeout(170_000 + runCount * 100);
});
