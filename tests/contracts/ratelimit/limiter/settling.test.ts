/** Requests whose cost is known afterwards, over a real store: charged for the real cost, once, and by no other caller. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import Redis from 'ioredis';
import type { Settlement, Weight } from '../../../../packages/ratelimit/src/decision/decision';
import { createLimiter, type PolicyLimiter } from '../../../../packages/ratelimit/src/decision/limiter';
import { localLimits } from '../../../../packages/ratelimit/src/local/local-limits';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { settleOrphans } from '../../../../packages/ratelimit/src/reservations/refund-orphans';
import { reservationKey } from '../../../../packages/ratelimit/src/reservations/reservation-id';
import type { LocalLimits } from '../../../../packages/ratelimit/src/store/limit-store';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { type ControlledClock, openControlledClock } from './controlled-clock';
import { models } from './model-policy';

describe('what was reserved in a real store', () => {
  let time: ControlledClock;
  let local: LocalLimits;
  let limiter: PolicyLimiter;
  let tenant: string;
  const openLimiter = (changes: Partial<Rule> = {}): PolicyLimiter =>
    createLimiter({ store: time.store, policy: models(changes), reservationMilliseconds: 60_000 });
  before(async () => {
    time = openControlledClock((await valkeyForTests()).url, randomUUID());
    local = localLimits();
  });
  beforeEach(() => {
    tenant = randomUUID();
    limiter = openLimiter();
  });
  after(() => time.store.close());

  const reserve = async (weight: Weight, model = 'small', by = limiter): Promise<string> => {
    const { outcome, reservationId = '' } = await by.reserve({ dimensions: { tenant, model }, weight });
    assert.equal(outcome, 'allow');
    return reservationId;
  };
  const settle = (reservationId: string, actual: Settlement['actual'], final = true) =>
    limiter.settle({ reservationId, tenant, actual, final });
  /** Requests, tokens and places that are left. */
  const left = async () => {
    const { limits } = await limiter.peek({ dimensions: { tenant }, weight: { inputTokens: 1, outputTokens: 0 } });
    const remaining = (rule: string) => limits.find((one) => one.rule === rule)?.remaining ?? -1;
    return [remaining('rpm'), remaining('tpm'), remaining('busy')];
  };
  const weight = { inputTokens: 100, outputTokens: 400 };

  it('is given back as far as it was not used, and its place with it', async () => {
    const id = await reserve(weight);
    assert.deepEqual(await left(), [9, 500, 4]);
    assert.equal(await settle(id, { inputTokens: 90, outputTokens: 10 }), 'settled');
    assert.deepEqual(await left(), [9, 900, 5]);
    assert.equal(await settle(id, { inputTokens: 0, outputTokens: 0 }), 'settled-before');
    assert.deepEqual(await left(), [9, 900, 5]);
  });

  it('owes the excess, which delays the next request', async () => {
    const id = await reserve(weight);
    await settle(id, { inputTokens: 600, outputTokens: 600 });
    const next = await limiter.reserve({ dimensions: { tenant }, weight: { inputTokens: 1, outputTokens: 0 } });
    assert.equal(next.outcome, 'deny');
    assert.equal(next.retryAfterSeconds, 201 * 86_400);
  });

  it('is settled as it goes: more at once, less in the end, its place in the end', async () => {
    const id = await reserve(weight);
    assert.equal(await settle(id, { outputTokens: 50 }, false), 'settled');
    assert.deepEqual(await left(), [9, 500, 4]);
    await settle(id, { outputTokens: 500 }, false);
    assert.deepEqual(await left(), [9, 400, 4]);
    await settle(id, { outputTokens: 200 });
    assert.deepEqual(await left(), [9, 700, 5]);
    assert.equal(await settle(id, { outputTokens: 900 }, false), 'settled-before');
    assert.deepEqual(await left(), [9, 700, 5]);
  });

  it('is refunded but for the request itself', async () => {
    const id = await reserve(weight);
    assert.equal(await settle(id, 'refund'), 'settled');
    assert.deepEqual(await left(), [9, 1_000, 5]);
  });

  it('is charged in the end where it was reserved at nothing, in any kind of window', async () => {
    const day = 86_400_000;
    const kinds = [
      { algorithm: 'fixed-window', limit: 100, periodMilliseconds: day },
      { algorithm: 'sliding-counter', limit: 100, periodMilliseconds: day },
      { algorithm: 'sliding-log', limit: 100, periodMilliseconds: day },
      { algorithm: 'quota', limit: 100, per: 'month' },
    ] as const;
    for (const limit of kinds) {
      const one = createLimiter({
        store: time.store,
        clock: () => time.now() / 1_000,
        policy: models({ name: limit.algorithm, limit }),
      });
      const { reservationId = '' } = await one.reserve({ dimensions: { tenant }, weight: { outputTokens: 0 } });
      await one.settle({ reservationId, tenant, actual: { outputTokens: 30 } });
      const { limits } = await one.peek({ dimensions: { tenant }, weight: { outputTokens: 1 } });
      assert.equal(limits.find(({ unit }) => unit === 'tokens')?.remaining, 70, limit.algorithm);
    }
  });

  it('gives back of a quota no more than was used, also where that is recorded elsewhere', async () => {
    const recorded: number[] = [];
    const counts = { of: async () => 0, used: (_: unknown, amount: number) => void recorded.push(amount) };
    const limit = { algorithm: 'quota', limit: 100, per: 'month' } as const;
    const one = createLimiter({
      store: time.store,
      clock: () => time.now() / 1_000,
      counts,
      policy: models({ limit }),
    });
    const about = (outputTokens: number) => ({ dimensions: { tenant }, weight: { outputTokens } });
    await one.check(about(30));
    assert.equal(await one.reward(about(50)), 'settled');
    assert.deepEqual(recorded, [30, -30]);
  });

  it('gives back the requests that were not made, and owes those that were more', async () => {
    const id = await reserve({ ...weight, requests: 5 });
    assert.deepEqual(await left(), [5, 500, 0]);
    assert.equal(await settle(id, { requests: 0 }), 'settled');
    assert.deepEqual(await left(), [10, 500, 5]);
    await settle(await reserve({ ...weight, requests: 1 }), { requests: 3 });
    assert.deepEqual((await left())[0], 7);
  });

  it('is settled by the cost model of its own policy, by any process', async () => {
    const id = await reserve({ inputTokens: 100, outputTokens: 300 }, 'big');
    assert.deepEqual(await left(), [9, 200, 4]);
    const newer = openLimiter({ cost: { unit: 'tokens', byModel: { big: 9_000 } } });
    assert.equal(await newer.settle({ reservationId: id, tenant, actual: { outputTokens: 100 } }), 'settled');
    assert.deepEqual(await left(), [9, 600, 5]);
  });

  it('is unknown to everybody else, and by any other name', async () => {
    const id = await reserve(weight);
    for (const other of [{ tenant: 'other' }, { tenant: '' }, {}])
      assert.equal(await limiter.settle({ reservationId: id, actual: 'refund', ...other }), 'unknown');
    const [tag = ''] = id.split('.');
    const guesses = ['', 'x', tag, `${id}x`, `${tag}.${randomBytes(16).toString('base64url')}`, `}${id}`, `${tag}.*`];
    for (const guess of guesses) assert.equal(await settle(guess, 'refund'), 'unknown', guess);
    assert.deepEqual(await left(), [9, 500, 4]);
  });

  it('is not settled by what is no weight', async () => {
    const id = await reserve(weight);
    await assert.rejects(settle(id, { outputTokens: -1_000 }), TypeError);
    await assert.rejects(settle(id, { bytes: Number.NaN }), TypeError);
    await assert.rejects(settle(id, undefined as unknown as Weight), /actual must be a weight, or 'refund'/);
    assert.deepEqual(await left(), [9, 500, 4]);
  });

  it('is known for a minute more once it is settled in the end', async () => {
    const redis = new Redis((await valkeyForTests()).url);
    const long = createLimiter({ store: time.store, policy: models(), reservationMilliseconds: 1_200_000 });
    const id = await reserve(weight, 'small', long);
    const lifetime = () => redis.pttl(reservationKey(id) ?? '');
    await settle(id, { outputTokens: 50 }, false);
    assert.ok((await lifetime()) > 1_000_000);
    await settle(id, { outputTokens: 50 });
    const left = await lifetime();
    assert.ok(left > 0 && left <= 60_000, String(left));
    assert.equal(await settle(id, { outputTokens: 50 }), 'settled-before');
    redis.disconnect();
  });

  it('is settled by one of several that do it at once', async () => {
    const id = await reserve(weight);
    const others = Array.from({ length: 7 }, () => openLimiter());
    const settling = { reservationId: id, tenant, actual: { outputTokens: 0 } };
    const outcomes = await Promise.all([limiter, ...others].map((one) => one.settle(settling)));
    assert.deepEqual(outcomes.sort(), [
      ...Array<string>(1).fill('settled'),
      ...Array<string>(7).fill('settled-before'),
    ]);
    assert.deepEqual(await left(), [9, 900, 5]);
  });

  it('is not charged for what was over a soft limit when it came', async () => {
    const soft = openLimiter({ strictness: 'soft' });
    const { outcome, reservationId = '' } = await soft.reserve({
      dimensions: { tenant },
      weight: { inputTokens: 1_001, outputTokens: 0 },
    });
    assert.equal(outcome, 'degrade');
    assert.equal(await settle(reservationId, { inputTokens: 900 }), 'settled');
    assert.deepEqual(await left(), [9, 1_000, 5]);
  });

  it('stays charged when it is not settled, or is refunded if its rule sets that, by any process', async () => {
    const refunding = openLimiter({ orphan: 'refund' });
    const unsettled = await reserve(weight);
    const settled = await reserve({ inputTokens: 10, outputTokens: 10 }, 'small', refunding);
    await reserve({ inputTokens: 100, outputTokens: 0 }, 'small', refunding);
    await refunding.settle({ reservationId: settled, tenant, actual: { outputTokens: 0 } });
    assert.deepEqual(await left(), [7, 390, 3]);
    const other = { store: time.store, local };
    await settleOrphans(other);
    assert.deepEqual(await left(), [7, 390, 3], 'it is not due yet');
    time.advance(60_000_000);
    await Promise.all([settleOrphans(other), settleOrphans(other)]);
    assert.deepEqual((await left()).slice(0, 2), [7, 490]);
    await refunding.close();
    assert.equal(await settle(unsettled, { outputTokens: 0 }), 'settled');
  });
});
