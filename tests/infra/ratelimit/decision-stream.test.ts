import assert from 'node:assert/strict';
import type Redis from 'ioredis';
import { createAppend } from '../../../infra/ratelimit/service/decision-stream';
import { createDecisionAggregates } from '../../../infra/ratelimit/service/decision-telemetry';
import { decision } from '../../packages/ratelimit/http/decisions';

describe('the stream of decisions', () => {
  /** How many entries are kept, and how long the last one is, after so many seconds with so many tenants. */
  const storedAfter = async (seconds: number, tenants: number): Promise<readonly [kept: number, bytes: number]> => {
    const commands: unknown[][] = [];
    const xadd = async (...all: unknown[]): Promise<null> => {
      commands.push(all);
      return null;
    };
    const append = createAppend({ xadd } as unknown as Pick<Redis, 'xadd'>);
    const sums = createDecisionAggregates();
    for (let tenant = 0; tenant < tenants; tenant += 1)
      sums.onDecision(decision([]), { request: { dimensions: { tenant: `tenant-${tenant}` } }, seconds: 0 });
    const decisions = sums.takeAll();
    for (let second = 0; second < seconds; second += 1)
      await append({ batch: `b-${second}`, from: second, to: second + 1, decisions });
    return [Number(commands.at(-1)?.[3]), String(commands.at(-1)?.at(-1)).length];
  };

  it('covers a day at low volume', async () => assert.equal((await storedAfter(2_000, 4))[0], 86_400));

  it('takes no more of the memory of limits, however many tenants it tells of', async () => {
    const [kept, bytes] = await storedAfter(2_000, 200);
    assert.ok(bytes > 20_000);
    assert.ok(kept * bytes < 140_000_000 && kept * bytes > 120_000_000);
  });

  it('lets go of little when one entry is large for once', async () =>
    assert.ok((await storedAfter(1, 1_000))[0] > 50_000));
});
