/** Limits of one caller that share a key, in any combination of requests, in one script or in several. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import Redis from 'ioredis';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import type { Limit } from '../../../../packages/ratelimit/src/policy/limit';
import {
  decodeDecisions,
  encodeScriptCall,
  type ScriptRequest,
} from '../../../../packages/ratelimit/src/redis/script-codec';
import { decideScript } from '../../../../packages/ratelimit/src/redis/scripts/decide';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { anyClockStep, anyCost, anyLimit, costOf, runCount } from './any-limits';
import { modelOf } from './model';
import { type RunAt, timedScripts } from './timed-scripts';

const most = 5;
const together = fc.record({
  step: anyClockStep,
  requests: fc.array(
    fc.record({ which: fc.shuffledSubarray([...Array(most).keys()], { minLength: 1 }), cost: anyCost }),
    { minLength: 1, maxLength: 4 },
  ),
});

const window = (name: string, limit = 10): Limit => ({
  name,
  algorithm: 'fixed-window',
  limit,
  periodMilliseconds: 1_000,
});

describe('limits that share a key', () => {
  let redis: Redis;
  let run: RunAt;
  before(async () => {
    redis = new Redis((await valkeyForTests()).url);
    run = timedScripts(redis).run;
  });
  after(() => redis.disconnect());

  const requestOf = (key: string, all: readonly Limit[], cost = 1): ScriptRequest => ({
    mode: 'take',
    id: randomUUID(),
    charges: all.map((limit) => ({ key, limit: compileLimit(limit), cost: costOf(cost, limit), counted: 0 })),
  });

  it('are counted each for itself, whichever of them come together', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyLimit, { minLength: most, maxLength: most }),
        fc.array(together, { maxLength: 25 }),
        async (chosen, batches) => {
          const key = `{${randomUUID()}}`;
          const named = chosen.map((limit, index) => ({ ...limit, name: `l${index}` }));
          const models = named.map(modelOf);
          let clock = 1_700_000_000_000_000n;
          for (const { step, requests } of batches) {
            clock += BigInt(step);
            const scriptRequests = requests.map(({ which, cost }) =>
              requestOf(
                key,
                which.flatMap((at) => named[at] ?? []),
                cost,
              ),
            );
            const { keys, values } = encodeScriptCall(scriptRequests);
            const decided = decodeDecisions((await run(clock)(keys, values)) as Buffer, scriptRequests);
            requests.forEach(({ which }, at) => {
              const amounts = scriptRequests[at]?.charges.map((one) => BigInt(one.cost)) ?? [];
              const expected = which.map((one, place) => models[one]?.check(amounts[place] ?? 0n, clock));
              const admitted = expected.every((one) => one?.over === false);
              // What is refused is taken of none of them.
              const untaken = expected.map((one, place) =>
                admitted || one?.over === true ? 0n : (amounts[place] ?? 0n),
              );
              assert.deepEqual(
                decided[at]?.limits.map(({ over, remaining }) => [over, BigInt(remaining)]),
                expected.map((one, place) => [one?.over, (one?.remaining ?? 0n) + (untaken[place] ?? 0n)]),
              );
              if (admitted) for (const [place, one] of which.entries()) models[one]?.take(amounts[place] ?? 0n, clock);
            });
          }
        },
      ),
      { numRuns: Math.ceil(runCount / 3) },
    )).timeout(170_000 + runCount * 100);

  it('take no more room than those that matter, and go together', async () => {
    const [key, now] = [`{${randomUUID()}}`, 1_700_000_000_000_000n];
    const script = decideScript('local clock = tonumber(ARGV[#ARGV])');
    const take = async (name: string, clock: bigint): Promise<void> => {
      const { keys, values } = encodeScriptCall([requestOf(key, [window(name)])]);
      await redis.eval(script, keys.length, ...keys, ...values, String(clock));
    };
    for (let at = 0; at < 20; at += 1) await take(`rule ${at}`, now);
    assert.equal(await redis.strlen(key), 8 + 20 * 40);
    await take('rule 20', now + 60_000_000n);
    assert.equal(await redis.strlen(key), 8 + 40);
    assert.ok((await redis.pttl(key)) > 0);
  });

  it('start fresh if their key has other content', async () => {
    const key = `{${randomUUID()}}`;
    await redis.set(key, 'not limits');
    const request = requestOf(key, [window('one', 3)]);
    const { keys, values } = encodeScriptCall([request]);
    const decisions = decodeDecisions((await run(1_700_000_000_000_000n)(keys, values)) as Buffer, [request]);
    assert.equal(decisions[0]?.limits[0]?.remaining, 2);
  });
});
