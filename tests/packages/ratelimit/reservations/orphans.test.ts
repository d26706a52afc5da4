import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { PolicyLimiter } from '../../../../packages/ratelimit/src/decision/limiter';
import type { QuotaCounts } from '../../../../packages/ratelimit/src/store/limit-store';
import { policy, requestOf, rule, stage, tokens } from '../decision/fixture';
import { memoryStore } from '../decision/memory-store';

describe('unsettled reservations', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());
  const weight = { inputTokens: 60, outputTokens: 0 };

  /** Whether the whole limit is free, without taking anything. */
  const opened = () => {
    const staged = stage(policy([tokens('tpm', 100, { orphan: 'refund' })]), { reservationMilliseconds: 1_000 });
    const left = async () => {
      const look = requestOf('acme', { weight: { inputTokens: 100, outputTokens: 0 } });
      return (await staged.limiter.peek(look)).outcome === 'allow';
    };
    return { ...staged, left };
  };
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  };

  it('are refunded once after they are due, by any process', async () => {
    const { limiter, store, left } = opened();
    await limiter.reserve(requestOf('acme', { weight }));
    mock.timers.tick(1_000);
    await turns();
    assert.equal(await left(), false, 'it is not due yet');
    store.advance(1_000);
    mock.timers.tick(1_000);
    await turns();
    assert.equal(await left(), true);
    assert.deepEqual(await store.orphans.claimDue(10, 'any'), []);
    await limiter.close();
  });

  it('is tried again when the store cannot be asked, until the limiter is closed', async () => {
    const { limiter, store, left } = opened();
    await limiter.reserve(requestOf('acme', { weight }));
    store.advance(1_000);
    store.isAway(true);
    mock.timers.tick(1_000);
    await turns();
    store.isAway(false);
    assert.equal(await left(), false);
    await limiter.close();
    mock.timers.tick(5_000);
    await turns();
    assert.equal(await left(), false, 'a closed limiter looks no more');
    const next = stage(policy([tokens('tpm', 100, { orphan: 'refund' })]), { store });
    mock.timers.tick(1_000);
    await turns();
    assert.equal(await left(), true);
    await next.limiter.close();
  });

  describe('of a quota that is counted elsewhere, too', () => {
    const quota = rule('monthly', {
      limit: { algorithm: 'quota', limit: 100, per: 'month' },
      cost: { unit: 'tokens' },
      onStoreError: { local: 1 },
      orphan: 'refund',
    });
    const counting = () => {
      const amounts: number[] = [];
      const counts: QuotaCounts = { of: async () => 0, used: (_, amount) => void amounts.push(amount) };
      return { amounts, counts };
    };
    const round = async (): Promise<void> => {
      mock.timers.tick(1_000);
      await turns();
    };
    const leftOf = async ({ peek }: PolicyLimiter): Promise<number | undefined> =>
      (await peek(requestOf('acme', { weight: { inputTokens: 1, outputTokens: 0 } }))).limits[0]?.remaining;

    it('is given back there as well: by a process that can, and left alone by all others', async () => {
      const store = memoryStore();
      const { amounts, counts } = counting();
      const options = { store, reservationMilliseconds: 1_000 };
      const other = stage(policy([quota]), options).limiter;
      const ended = stage(policy([quota]), { ...options, counts }).limiter;
      await ended.reserve(requestOf('acme', { weight }));
      await ended.close();
      store.advance(1_000);
      await round();
      assert.deepEqual([amounts, await leftOf(other)], [[60], 40]);
      const next = stage(policy([quota]), { ...options, counts }).limiter;
      await round();
      assert.deepEqual([amounts, await leftOf(other)], [[60, -60], 100]);
      await Promise.all([other.close(), next.close()]);
    });

    it('is given back by any process where none of them counts elsewhere', async () => {
      const store = memoryStore();
      const [one, other] = [
        stage(policy([quota]), { store, reservationMilliseconds: 1_000 }),
        stage(policy([quota]), { store }),
      ];
      await one.limiter.reserve(requestOf('acme', { weight }));
      await one.limiter.close();
      store.advance(1_000);
      await round();
      assert.equal(await leftOf(other.limiter), 100);
      await other.limiter.close();
    });

    it('is given back by the process that counted alone while the store was away', async () => {
      const { amounts, counts } = counting();
      const { store, limiter } = stage(policy([quota]), { counts, reservationMilliseconds: 0 });
      store.isAway(true);
      const { source } = await limiter.reserve(requestOf('acme', { weight }));
      assert.deepEqual([source, amounts, await leftOf(limiter)], ['local', [60], 40]);
      await round();
      assert.deepEqual([amounts, await leftOf(limiter)], [[60, -60], 100]);
      await round();
      assert.deepEqual(amounts, [60, -60]);
      await limiter.close();
    });
  });
});
