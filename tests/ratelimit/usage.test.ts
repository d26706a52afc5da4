import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { QuotaId } from '../../domain/ratelimit/ids';
import { maxQuotas, type RecordUsage, usageOfHour } from '../../domain/ratelimit/usage/decider';
import type { UsageEvent } from '../../domain/ratelimit/usage/events';

const usedAt = '2026-01-31T12:00:00.000Z' as Instant;
const months = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'] as Instant[];
const quotaOf = (number: number): QuotaId => String(number).padStart(27, 'q') as QuotaId;

const used = (number: number, month: number, amount: number) => ({
  quotaId: quotaOf(number),
  startsAt: months[month] as Instant,
  endsAt: months[month + 1] as Instant,
  amount,
});
const record = (...quotas: RecordUsage['quotas']): RecordUsage => ({ type: 'RecordUsage', usedAt, quotas });

const grown = (events: readonly UsageEvent[], command: RecordUsage): readonly UsageEvent[] => {
  const decided = usageOfHour.decide(command, fold(usageOfHour, usageOfHour.initial, events));
  assert.ok(isRight(decided));
  return [...events, ...decided.right];
};

const refused = (command: RecordUsage): string => {
  const decided = usageOfHour.decide(command, usageOfHour.initial);
  assert.ok(isLeft(decided));
  return decided.left.code;
};

describe('usage of quotas', () => {
  it('adds up by quota and period, whatever comes in which batch', () => {
    const one = fc.tuple(fc.nat(3), fc.nat(1), fc.integer({ min: -5, max: 50 }));
    fc.assert(
      fc.property(fc.array(fc.array(one, { maxLength: 6 }), { maxLength: 8 }), (batches) => {
        const commands = batches.map((batch) => record(...batch.map((each) => used(...each))));
        const events = commands.reduce<readonly UsageEvent[]>(grown, []);
        const sums = new Map<string, number>();
        for (const { quotaId, startsAt, amount } of commands.flatMap(({ quotas }) => quotas))
          sums.set(`${startsAt} ${quotaId}`, (sums.get(`${startsAt} ${quotaId}`) ?? 0) + amount);
        assert.deepEqual(fold(usageOfHour, usageOfHour.initial, events).totals, sums);
        assert.equal(events.length, batches.filter((batch) => batch.length > 0).length);
      }),
    );
  });

  it('records the total of the hour in each event', () => {
    const [, second] = grown(grown([], record(used(1, 0, 5))), record(used(1, 0, 7), used(1, 0, -2), used(1, 1, 1)));
    assert.deepEqual(
      second?.data.quotas.map(({ total }) => total),
      [12, 10, 1],
    );
  });

  it('refuses periods that end before they start, sums that are not exact, and more than a number holds', () => {
    assert.equal(refused(record({ ...used(1, 1, 1), endsAt: months[1] as Instant })), 'period-ends-early');
    const much = used(1, 0, Number.MAX_SAFE_INTEGER);
    assert.equal(refused(record(much, much)), 'usage-out-of-range');
    const many = Array.from({ length: maxQuotas + 1 }, (_, number) => used(number, 0, 1));
    assert.equal(refused(record(...many)), 'too-many-quotas');
  });
});
