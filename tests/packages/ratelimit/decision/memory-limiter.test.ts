/** The store of one process, as users of the package open it. */
import assert from 'node:assert/strict';
import { createLimiter, memoryStore } from '../../../../packages/ratelimit/src/index';
import type { RuleLimit } from '../../../../packages/ratelimit/src/policy/policy';
import { policy, requestOf, rule, tokens } from './fixture';

type Bucket = Extract<RuleLimit, { readonly algorithm: 'token-bucket' }>;
type Numbers = Omit<Bucket, 'algorithm'> & { readonly algorithm: 'token-bucket' | 'fixed-window' };
const inside = ({ algorithm, burst, ...rate }: Numbers): RuleLimit =>
  algorithm === 'token-bucket' ? { algorithm, burst, ...rate } : { algorithm, ...rate };

describe('a limiter without a Redis', () => {
  it('counts in its own process: requests, settled tokens, and unsettled reservations', async () => {
    const limits = [
      rule('rpm', { limit: { algorithm: 'fixed-window', limit: 3, periodMilliseconds: 60_000 } }),
      tokens('tpm', 1_000),
      rule('busy', { limit: { algorithm: 'concurrency', limit: 2, leaseMilliseconds: 60_000 } }),
    ];
    const limiter = createLimiter({ store: memoryStore(), policy: policy(limits) });
    const weight = { inputTokens: 100, outputTokens: 300 };
    const left = async () =>
      Object.fromEntries(
        (await limiter.peek(requestOf('acme', { weight }))).limits.map((one) => [one.rule, one.remaining]),
      );
    const { reservationId = '' } = await limiter.reserve(requestOf('acme', { weight }));
    assert.deepEqual(await left(), { rpm: 2, tpm: 600, busy: 1 });
    assert.equal(await limiter.settle({ reservationId, tenant: 'acme', actual: { outputTokens: 0 } }), 'settled');
    assert.deepEqual(await left(), { rpm: 2, tpm: 900, busy: 2 });
    assert.deepEqual((await limiter.check(requestOf('other', { weight }))).source, 'store');
    for (const outcome of ['allow', 'allow', 'deny'])
      assert.equal((await limiter.check(requestOf('acme', { weight: { outputTokens: 1 } }))).outcome, outcome);
    await limiter.close();
  });

  it('charges penalties, also over what there is, and gives them back', async () => {
    for (const algorithm of ['fixed-window', 'token-bucket'] as const) {
      const limit = { algorithm, limit: 10, periodMilliseconds: 86_400_000, burst: 10 };
      const limiter = createLimiter({ store: memoryStore(), policy: policy([rule('r', { limit: inside(limit) })]) });
      const left = async () => (await limiter.peek(requestOf('acme'))).limits[0]?.remaining;
      const correct = async (how: 'penalty' | 'reward', requests: number) => {
        await limiter[how](requestOf('acme', { weight: { requests } }));
        return left();
      };
      assert.deepEqual([await correct('penalty', 4), await correct('penalty', 16)], [6, 0]);
      assert.deepEqual([await correct('reward', 15), await correct('reward', 99)], [5, 10]);
      await limiter.close();
    }
  });
});
