/** Charges of tests, and what a store decides of many requests at once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import type { Limit } from '../../../../packages/ratelimit/src/policy/limit';
import type { RedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import type { LimitCharge, Reservation, StoreDecision } from '../../../../packages/ratelimit/src/store/limit-charge';
import type { LimitStore } from '../../../../packages/ratelimit/src/store/limit-store';
import { eventually } from '../../../support/waiting/eventually';

const day = 86_400_000;

/** Of each kind one that admits so many, and nothing more while a test runs. */
export const slowLimits = (limit: number): readonly Limit[] => [
  { name: 'bucket', algorithm: 'token-bucket', limit: 1, periodMilliseconds: day, burst: limit },
  { name: 'window', algorithm: 'fixed-window', limit, periodMilliseconds: 1_000 * day },
  { name: 'log', algorithm: 'sliding-log', limit, periodMilliseconds: day },
  { name: 'counter', algorithm: 'sliding-counter', limit, periodMilliseconds: 1_000 * day },
  { name: 'concurrency', algorithm: 'concurrency', limit, leaseMilliseconds: day },
  { name: 'quota', algorithm: 'quota', limit, startsAt: 0, endsAt: 4_000_000_000_000 },
];

export const bucketOf = (burst: number): Limit => ({
  name: 'bucket',
  algorithm: 'token-bucket',
  limit: 1,
  periodMilliseconds: day,
  burst,
});

export const concurrencyOf = (limit: number): Limit => ({
  name: 'slots',
  algorithm: 'concurrency',
  limit,
  leaseMilliseconds: day,
});

export const chargeOf = (key: string, limit: Limit, cost = 1): LimitCharge => ({
  key,
  limit: compileLimit(limit),
  cost,
  counted: 0,
});

export const reservationOf = (reservation: string): Reservation => ({ reservation, milliseconds: 60_000, context: '' });

export const chargeStore = (
  store: LimitStore,
  ...charges: readonly LimitCharge[]
): Promise<StoreDecision | undefined> => store.decide('take', randomUUID(), charges);

/** How many of so many requests at once are let pass; all are to be answered. */
export const countAdmitted = async (
  count: number,
  store: LimitStore,
  ...charges: readonly LimitCharge[]
): Promise<number> => {
  const all = await Promise.all(Array.from({ length: count }, () => chargeStore(store, ...charges)));
  assert.ok(
    all.every((decided) => decided !== undefined),
    'not all were answered',
  );
  return all.filter((decided) => decided.outcome === 'admitted').length;
};

export const remainingOf = async (store: LimitStore, charge: LimitCharge): Promise<number | undefined> =>
  (await store.decide('peek', 'peek', [{ ...charge, cost: 0 }]))?.limits[0]?.remaining;

/** Peeks until the store answers and its breaker is closed, which takes several good answers in a row. */
export const untilStoreRecovers = (store: RedisStore): Promise<void> =>
  eventually(async () => {
    assert.ok((await remainingOf(store, chargeOf('{well}', bucketOf(1)))) !== undefined);
    assert.equal(store.breakerMetrics().state, 'closed');
  });

/** Peeks until the breaker opens and calls no longer reach the store. */
export const untilBreakerOpens = (store: RedisStore): Promise<void> =>
  eventually(async () => {
    assert.equal(await remainingOf(store, chargeOf('{well}', bucketOf(1))), undefined);
    assert.equal(store.breakerMetrics().state, 'open');
  });
