/** Limits that are blocked and reset by hand, over a real store and in one process' memory. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { LimitRequest } from '../../../../packages/ratelimit/src/decision/decision';
import {
  createLimiter,
  type LimiterOptions,
  type PolicyLimiter,
} from '../../../../packages/ratelimit/src/decision/limiter';
import type { Rule, RuleLimit } from '../../../../packages/ratelimit/src/policy/policy';
import { openRedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import type { LimitStore } from '../../../../packages/ratelimit/src/store/limit-store';
import { memoryStore } from '../../../packages/ratelimit/decision/memory-store';
import { startDedicatedCluster } from '../../../support/servers/dedicated-valkey-cluster';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { openControlledClock } from './controlled-clock';
import { limits } from './rule-limits';

const rule = (name: string, changes: Partial<Rule> = {}): Rule => ({
  name,
  by: ['tenant', 'user'],
  limit: { algorithm: 'fixed-window', limit: 5, periodMilliseconds: 86_400_000 },
  onStoreError: 'deny',
  ...changes,
});
const someone = () => ({ dimensions: { tenant: randomUUID(), user: randomUUID() } });
const numRuns = Number(process.env.RATELIMIT_RUNS ?? 25);

interface TimedStore {
  readonly store: LimitStore;
  /** In seconds. */
  readonly now: () => number;
  readonly advance: (seconds: number) => void;
}

const overValkey = async (): Promise<TimedStore> => {
  const { store, now, advance } = openControlledClock((await valkeyForTests()).url, randomUUID());
  return { store, now: () => now() / 1_000_000, advance: (seconds) => advance(seconds * 1_000_000) };
};

const inMemory = async (): Promise<TimedStore> => {
  const store = memoryStore();
  let passed = 0;
  return {
    store,
    now: () => 1_700_000_000 + passed,
    advance: (seconds) => {
      passed += seconds;
      store.advance(seconds * 1_000);
    },
  };
};

const stores = { 'a real store': overValkey, 'the memory of a process': inMemory };

for (const [where, openTimed] of Object.entries(stores))
  describe(`limits by hand, in ${where}`, () => {
    let time: TimedStore;
    before(async () => {
      time = await openTimed();
    });
    after(() => time.store.close());

    const open = (rules: readonly Rule[], options: Partial<LimiterOptions> = {}): PolicyLimiter =>
      createLimiter({
        store: time.store,
        clock: () => time.now() * 1_000,
        policy: { version: 'v', defaults: rules },
        ...options,
      });
    const outcomeOf = async (limiter: PolicyLimiter, who: LimitRequest) => (await limiter.check(who)).outcome;
    const leftOf = async (limiter: PolicyLimiter, who: LimitRequest) =>
      Object.fromEntries((await limiter.peek(who)).limits.map((one) => [one.rule, one.remaining]));

    for (const [name, one] of Object.entries(limits)) {
      const used = fc.nat({ max: 15 });

      it(`refuse of a ${name} what is blocked, whatever was used, until the block ends`, () =>
        fc.assert(
          fc.asyncProperty(one, used, fc.integer({ min: 1, max: 90 }), async (limit, count, seconds) => {
            const limiter = open([rule('r', { limit })]);
            const who = someone();
            for (let taken = 0; taken < count; taken += 1) await limiter.check(who);
            const wait = (await limiter.peek(who)).retryAfterSeconds;
            assert.equal(await limiter.block(who, seconds), 'done');
            for (const operation of ['check', 'reserve', 'peek'] as const) {
              const { outcome, reason, retryAfterSeconds, limits: all } = await limiter[operation](who);
              assert.deepEqual([outcome, reason, retryAfterSeconds], ['deny', 'limited', Math.max(seconds, wait)]);
              assert.deepEqual([all[0]?.over, all[0]?.remaining], [true, 0]);
            }
            time.advance(seconds - 0.5);
            assert.equal(await outcomeOf(limiter, who), 'deny');
            time.advance(0.5 + Math.max(0, wait - seconds));
            assert.equal(await outcomeOf(limiter, who), 'allow');
          }),
          { numRuns },
        ));

      it(`are as if never used once a ${name} was reset, and blocked no longer`, () =>
        fc.assert(
          fc.asyncProperty(one, used, fc.boolean(), async (limit: RuleLimit, count, isBlocked) => {
            const limiter = open([rule('r', { limit }), rule('other', { by: ['tenant'] })]);
            const who = someone();
            for (let taken = 0; taken < count; taken += 1) await limiter.check(who);
            if (isBlocked) await limiter.block(who, 1_000);
            const other = (await leftOf(limiter, who)).other;
            assert.equal(await limiter.reset(who), 'done');
            const left = await leftOf(limiter, who);
            assert.deepEqual(left, { ...(await leftOf(limiter, someone())), other });
          }),
          { numRuns },
        ));
    }

    it('are blocked for that caller only, not for others of the tenant, other tenants or other rules', async () => {
      const limiter = open([
        rule('per-user'),
        rule('login', { when: { route: ['login'] } }),
        rule('per-tenant', { by: ['tenant'] }),
        rule('everybody', { by: [], limit: { algorithm: 'token-bucket', limit: 9, periodMilliseconds: 1, burst: 9 } }),
      ]);
      const who = someone();
      const { tenant } = who.dimensions;
      assert.equal(await limiter.block(who, 60), 'done');
      const overOf = async (request: LimitRequest) =>
        (await limiter.check(request)).limits.flatMap((one) => (one.over ? [one.rule] : []));
      assert.deepEqual(await overOf(who), ['per-user']);
      assert.deepEqual(await overOf({ dimensions: { tenant, user: 'another' } }), []);
      assert.deepEqual(await overOf({ dimensions: { ...who.dimensions, tenant: randomUUID() } }), []);
      assert.deepEqual(await overOf({ dimensions: { ...who.dimensions, route: 'login' } }), ['per-user']);
      await limiter.reset(who);
      assert.equal(await limiter.block({ dimensions: { tenant } }, 60), 'done');
      // Those of the user count a user that is missing here.
      assert.deepEqual(await overOf(who), ['per-tenant']);
    });

    it('are left alone in other namespaces that count by the same key', async () => {
      const [one, other] = ['one', 'other'].map((namespace) => open([rule('r')], { namespace }));
      assert.ok(one !== undefined && other !== undefined);
      const who = someone();
      await other.check(who);
      await one.block(who, 60);
      assert.deepEqual([await outcomeOf(one, who), await outcomeOf(other, who)], ['deny', 'allow']);
      await one.reset(who);
      assert.deepEqual([await leftOf(one, who), await leftOf(other, who)], [{ r: 5 }, { r: 3 }]);
    });

    it('stay blocked through penalties, rewards and settlements, and through a later rule’s numbers', async () => {
      const limiter = open([rule('r', { orphan: 'refund' })]);
      const who = someone();
      const { reservationId = '' } = await limiter.reserve(who);
      await limiter.block(who, 60);
      await limiter.penalty({ ...who, weight: { requests: 2 } });
      await limiter.reward({ ...who, weight: { requests: 2 } });
      await limiter.settle({ reservationId, tenant: who.dimensions.tenant, actual: { requests: 0 } });
      const changed = open([
        rule('r', { limit: { algorithm: 'fixed-window', limit: 50, periodMilliseconds: 86_400_000 } }),
      ]);
      assert.deepEqual([await outcomeOf(limiter, who), await outcomeOf(changed, who)], ['deny', 'deny']);
      time.advance(60);
      assert.deepEqual(await leftOf(limiter, who), { r: 5 });
    });

    it('are blocked by the last word, shorter or longer', async () => {
      const limiter = open([rule('r')]);
      const who = someone();
      for (const seconds of [10, 1_000, 5]) {
        await limiter.block(who, seconds);
        assert.equal((await limiter.check(who)).retryAfterSeconds, seconds);
      }
      time.advance(5);
      assert.equal(await outcomeOf(limiter, who), 'allow');
    });

    it('of soft rules degrade, and of watched ones are only noted', async () => {
      const limiter = open([rule('s', { strictness: 'soft', hint: 'less' }), rule('w', { strictness: 'watched' })]);
      const who = someone();
      await limiter.block(who, 60);
      const { outcome, hint, limits: all } = await limiter.check(who);
      assert.deepEqual([outcome, hint, all.map(({ over }) => over)], ['degrade', 'less', [true, true]]);
    });

    it('report refunds to the counts of quotas', async () => {
      const recorded: number[] = [];
      const counts = { of: async () => 3, used: (_: unknown, amount: number) => void recorded.push(amount) };
      const limiter = open([rule('q', { limit: { algorithm: 'quota', limit: 10, per: 'month' } })], { counts });
      const [used, unused] = [someone(), someone()];
      await limiter.check({ ...used, weight: { requests: 2 } });
      const counted = 10 - ((await leftOf(limiter, used)).q ?? 0);
      await limiter.reset(used);
      assert.equal((await leftOf(limiter, used)).q, 10);
      await limiter.reset(unused);
      // What this store does not know, they do.
      assert.deepEqual(recorded, [2, where === 'a real store' ? -counted : -3, -3]);
    });

    it('are none where nothing is counted by all that is named, and no time is no block', async () => {
      const limiter = open([rule('r', { by: ['tenant'] })]);
      const who = someone();
      assert.deepEqual([await limiter.block(who, 1), await limiter.reset(who)], ['no-limit', 'no-limit']);
      for (const seconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 366 * 86_400 + 1])
        await assert.rejects(limiter.block(who, seconds), TypeError);
    });
  });

describe('limits by hand, of several processes', () => {
  it('hold for all of them at once', async () => {
    const { url } = await valkeyForTests();
    const all = [1, 2, 3].map(() => {
      const store = openRedisStore({ url, answerMilliseconds: 20_000, startMilliseconds: 20_000 });
      return { store, limiter: createLimiter({ store, policy: { version: 'v', defaults: [rule('r')] } }) };
    });
    const who = someone();
    const outcomes = () => Promise.all(all.map(async ({ limiter }) => (await limiter.check(who)).outcome));
    for (const { limiter } of all) {
      assert.equal(await limiter.block(who, 3_600), 'done');
      assert.deepEqual(await outcomes(), ['deny', 'deny', 'deny']);
      assert.equal(await limiter.reset(who), 'done');
      assert.deepEqual(await outcomes(), ['allow', 'allow', 'allow']);
    }
    for (const { store, limiter } of all) {
      await limiter.close();
      await store.close();
    }
  });

  it('hold on a cluster, where limits of one request lie apart', async () => {
    const cluster = await startDedicatedCluster();
    const store = openRedisStore({ cluster: cluster.urls, answerMilliseconds: 20_000, startMilliseconds: 20_000 });
    const log = { algorithm: 'sliding-log', limit: 3, periodMilliseconds: 86_400_000 } as const;
    const defaults = [rule('tenant', { by: ['tenant', 'user'] }), rule('user', { by: ['user'], limit: log })];
    const limiter = createLimiter({ store, policy: { version: 'v', defaults } });
    const [{ dimensions }, { dimensions: other }] = [someone(), someone()];
    const overOf = async (request: LimitRequest) =>
      (await limiter.peek(request)).limits.flatMap((one) => (one.over ? [one.rule] : [])).sort();
    await limiter.check({ dimensions });
    assert.equal(await limiter.block({ dimensions: { user: dimensions.user } }, 60), 'done');
    assert.deepEqual(await overOf({ dimensions }), ['user']);
    assert.equal(await limiter.block({ dimensions }, 60), 'done');
    assert.deepEqual(await overOf({ dimensions }), ['tenant', 'user']);
    assert.deepEqual(await overOf({ dimensions: other }), []);
    assert.equal(await limiter.reset({ dimensions: { user: dimensions.user } }), 'done');
    assert.equal(await limiter.reset({ dimensions }), 'done');
    const left = (await limiter.peek({ dimensions })).limits.map(({ remaining, limit }) => limit - remaining);
    assert.deepEqual(left, [0, 0]);
    await limiter.close();
    await store.close();
    await cluster.stop();
  });

  it('are not done where the store is away', async () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, policy: { version: 'v', defaults: [rule('r')] } });
    store.isAway(true);
    const who = someone();
    assert.deepEqual([await limiter.block(who, 1), await limiter.reset(who)], ['unavailable', 'unavailable']);
    await limiter.close();
  });
});
