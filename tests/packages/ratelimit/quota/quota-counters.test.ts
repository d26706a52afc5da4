import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import {
  openQuotaCounts,
  type UsageBatch,
  type UsageLedger,
} from '../../../../packages/ratelimit/src/quota/quota-counters';
import type { QuotaPeriod } from '../../../../packages/ratelimit/src/store/limit-store';

const quota = (number: number, tenant = 'acme'): QuotaPeriod => ({
  key: `limit:{t}:${String(number).padStart(27, 'q')}`,
  tenant,
  startsAt: 1_000,
  endsAt: 2_000,
});

/** Answers by `behaviours` in turn, `recorded` once that is over; a batch may be recorded although no answer came. */
const ledgerThat = (...behaviours: ('recorded' | 'away' | 'unanswered' | 'refused' | 'later' | 'broken')[]) => {
  const batches = new Map<string, UsageBatch>();
  const record: UsageLedger['record'] = async (batch) => {
    const behaviour = behaviours.shift() ?? 'recorded';
    if (behaviour === 'refused' || behaviour === 'later') return behaviour;
    if (behaviour === 'broken') throw new Error('The ledger is broken.');
    if (behaviour !== 'away') batches.set(batch.id, batch);
    return behaviour === 'recorded' ? { position: String(batches.size) } : undefined;
  };
  const sumOf = (tenant: string, quotaId: string): number =>
    [...batches.values()]
      .filter((batch) => batch.tenant === tenant)
      .flatMap(({ quotas }) => quotas)
      .filter((each) => each.quotaId === quotaId)
      .reduce((total, { amount }) => total + amount, 0);
  const positions: string[] = [];
  const used: UsageLedger['used'] = async ({ tenant, quotaId }, position) => {
    positions.push(position);
    return sumOf(tenant, quotaId);
  };
  return { record, used, batches, positions };
};

const never = 3_600_000;

describe('counts of quotas that outlive the counters', () => {
  it('are recorded before they are read, and read at that position', async () => {
    const ledger = ledgerThat();
    const counts = openQuotaCounts({ ledger, everyMilliseconds: never });
    counts.used(quota(1), 3);
    counts.used(quota(1), 4);
    counts.used(quota(2), 5);
    assert.equal(await counts.of(quota(1)), 7);
    assert.equal(await counts.of(quota(2)), 5);
    assert.deepEqual(ledger.positions, ['1', '1']);
    await counts.close();
  });

  it('are not known while the ledger is away, and complete afterwards', async () => {
    const ledger = ledgerThat('away', 'unanswered', 'recorded');
    const counts = openQuotaCounts({ ledger, everyMilliseconds: never });
    counts.used(quota(1), 3);
    assert.equal(await counts.of(quota(1)), undefined);
    counts.used(quota(1), 10);
    assert.equal(await counts.of(quota(1)), undefined);
    assert.equal(await counts.of(quota(1)), 13);
    assert.equal(ledger.batches.size, 2);
    await counts.close();
  });

  it('of tenants stay apart', async () => {
    const ledger = ledgerThat();
    const counts = openQuotaCounts({ ledger, everyMilliseconds: never });
    counts.used(quota(1, 'acme'), 3);
    counts.used(quota(1, 'other'), 4);
    assert.equal(await counts.of(quota(1, 'acme')), 3);
    assert.equal(await counts.of(quota(1, 'other')), 4);
    await counts.close();
  });

  it('go in batches of a hundred, and none when all was given back', async () => {
    const ledger = ledgerThat();
    const counts = openQuotaCounts({ ledger, everyMilliseconds: never });
    for (let number = 0; number < 250; number += 1) counts.used(quota(number), 1);
    counts.used(quota(7), -1);
    await counts.close();
    const sizes = [...ledger.batches.values()].map(({ quotas }) => quotas.length);
    assert.deepEqual(sizes, [99, 100, 50]);
  });

  it('say what is lost when the ledger refuses, and go on', async () => {
    const lost: unknown[] = [];
    const onLost = (...args: unknown[]): void => void lost.push(args);
    const counts = openQuotaCounts({ ledger: ledgerThat('refused'), everyMilliseconds: never, onLost });
    counts.used(quota(1), 3);
    assert.equal(await counts.of(quota(1)), 0);
    counts.used(quota(1), 2);
    assert.equal(await counts.of(quota(1)), 2);
    assert.deepEqual(lost, [['refused', 3]]);
    await counts.close();
  });

  it('are recorded in another batch when an hour is full', async () => {
    const ledger = ledgerThat('later');
    const counts = openQuotaCounts({ ledger, everyMilliseconds: never });
    counts.used(quota(1), 3);
    assert.equal(await counts.of(quota(1)), undefined);
    counts.used(quota(1), 2);
    assert.equal(await counts.of(quota(1)), 5);
    assert.equal(ledger.batches.size, 1);
    await counts.close();
  });

  it('are not known while the ledger fails in ways that it should not, and nothing else fails with it', async () => {
    const ledger = ledgerThat('broken', 'broken');
    const used: UsageLedger['used'] = () => Promise.reject(new Error('The ledger is broken.'));
    const counts = openQuotaCounts({ ledger: { ...ledger, used }, everyMilliseconds: 5 });
    counts.used(quota(1), 3);
    assert.equal(await counts.of(quota(1)), undefined);
    while (ledger.batches.size === 0) await sleep(5);
    assert.equal(await counts.of(quota(1)), undefined);
    await counts.close();
  });

  it('come to the sum of what was used, whatever the ledger answers meanwhile', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: -3, max: 9 }), fc.boolean()), { maxLength: 30 }),
        fc.array(fc.constantFrom('recorded' as const, 'away' as const, 'unanswered' as const), { maxLength: 20 }),
        async (steps, behaviours) => {
          const counts = openQuotaCounts({ ledger: ledgerThat(...behaviours), everyMilliseconds: never });
          const sums = [0, 0, 0];
          for (const [number, amount, isRead] of steps) {
            counts.used(quota(number), amount);
            sums[number] = (sums[number] ?? 0) + amount;
            const found = isRead ? await counts.of(quota(number)) : undefined;
            if (found !== undefined) assert.equal(found, sums[number]);
          }
          for (let turn = 0; turn < behaviours.length; turn += 1) await counts.of(quota(0));
          for (const [number, total] of sums.entries()) assert.equal(await counts.of(quota(number)), total);
          await counts.close();
        },
      ),
    ));
});
