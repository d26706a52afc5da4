/** More limits of one request than a byte counts: overrides may add up to that. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import { openRedisStore, type RedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import type { LimitCharge } from '../../../../packages/ratelimit/src/store/limit-charge';
import { valkeyForTests } from '../../../support/servers/shared-servers';

describe('many limits of one request', () => {
  let store: RedisStore;
  before(async () => {
    store = openRedisStore({ url: (await valkeyForTests()).url, answerMilliseconds: 20_000 });
  });
  after(() => store.close());

  const chargesOf = (count: number): readonly LimitCharge[] => {
    const key = `limit:{${randomUUID()}}`;
    return Array.from({ length: count }, (_, index) => ({
      key,
      limit: compileLimit({
        algorithm: 'fixed-window',
        name: `l${index}`,
        limit: 1_000 + index,
        periodMilliseconds: 60_000,
      }),
      cost: 1,
    }));
  };

  it('are all counted, and those of requests beside it as ever', async () => {
    const all = [300, 2, 256, 1].map(chargesOf);
    for (const turn of [1, 2]) {
      const decided = await Promise.all(all.map((one) => store.decide('take', randomUUID(), one)));
      decided.forEach((decision, place) => {
        const left = decision?.limits.map(({ remaining }) => remaining);
        assert.deepEqual(
          left,
          all[place]?.map((_, index) => 1_000 + index - turn),
        );
      });
    }
  });
});
