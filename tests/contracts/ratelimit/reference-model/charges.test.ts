import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import Redis from 'ioredis';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import { createRequestBatcher } from '../../../../packages/ratelimit/src/redis/request-batcher';
import type { LimitCharge } from '../../../../packages/ratelimit/src/store/limit-charge';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { anyClockStep, anyCost, anyLimit, costOf, runCount } from './any-limits';
import { modelOf } from './model';
import { type RunAt, timedScripts } from './timed-scripts';

const requests = fc.record({
  step: anyClockStep,
  costs: fc.array(anyCost, { minLength: 4, maxLength: 4 }),
});

describe('the script of limits, beside exact arithmetic', () => {
  let redis: Redis;
  let run: RunAt;
  before(async () => {
    redis = new Redis((await valkeyForTests()).url);
    run = timedScripts(redis).run;
  });
  after(() => redis.disconnect());

  it('answers every request as the model does, and writes all or nothing', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyLimit, { minLength: 1, maxLength: 4 }),
        fc.array(requests, { maxLength: 80 }),
        fc.boolean(),
        async (chosen, steps, isShared) => {
          const tag = randomUUID();
          const models = chosen.map(modelOf);
          let clock = 1_700_000_000_000_000n;
          for (const { step, costs } of steps) {
            clock += BigInt(step);
            const all: LimitCharge[] = chosen.map((limit, index) => ({
              key: isShared ? `{${tag}}` : `{${tag}}:${index}`,
              limit: compileLimit({ ...limit, name: `l${index}` }),
              cost: costOf(costs[index] ?? 1, limit),
              counted: 0,
            }));
            const decided = await createRequestBatcher(run(clock))('take', randomUUID(), all);
            const expected = models.map((model, index) => model.check(BigInt(all[index]?.cost ?? 0), clock));
            const admitted = expected.every(({ over }) => !over);
            assert.equal(decided.outcome, admitted ? 'admitted' : 'refused');
            chosen.forEach((limit, index) => {
              const [found, wanted] = [decided.limits[index], expected[index]];
              const where = `${limit.algorithm} at ${clock}`;
              assert.equal(found?.over, wanted?.over, where);
              // What is refused is taken of none of them.
              const untaken = admitted || wanted?.over === true ? 0n : BigInt(all[index]?.cost ?? 0);
              assert.equal(BigInt(found?.remaining ?? -1), (wanted?.remaining ?? 0n) + untaken, where);
              if (limit.algorithm !== 'quota') assert.equal(BigInt(found?.waitMicroseconds ?? -1), wanted?.wait, where);
            });
            if (admitted)
              for (const [index, model] of models.entries()) model.take(BigInt(all[index]?.cost ?? 0), clock);
          }
        },
      ),
      { numRuns: runCount },
    )).timeout(170_000 + runCount * 100);
});
