/** The table of ids against a plain map that forgets the oldest. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  createIdTable,
  type KnownEventId,
  type RecentEventIds,
} from '../../../../packages/eventstore-node/src/storage/recent-event-ids';

const capacity = 7;

const model = (): RecentEventIds => {
  const known = new Map<string, KnownEventId>();
  return {
    get: (id) => known.get(id),
    set: (id, place) => {
      if (known.has(id)) return;
      known.set(id, place);
      const [oldest] = known.keys();
      if (known.size > capacity && oldest !== undefined) known.delete(oldest);
    },
  };
};

/** More ids than there is room for, and few enough to meet again. */
const ids = Array.from({ length: 3 * capacity }, () => randomUUID());
const id = fc.constantFrom(...ids);
const place = fc.record(
  { stream: fc.maxSafeNat(), revision: fc.maxSafeNat(), position: fc.maxSafeNat() },
  { noNullPrototype: true },
);

describe('table of recent ids', () => {
  it('knows exactly the newest ids, each where it was used first', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, place), { maxLength: 60 }), (uses) => {
        const [table, expected] = [createIdTable(capacity), model()];
        for (const [used, known] of uses) {
          table.set(used, known);
          expected.set(used, known);
          for (const one of ids) assert.deepEqual(table.get(one), expected.get(one));
        }
      }),
    );
  });

  it('tells ids apart that differ in one digit', () => {
    const table = createIdTable(64);
    const digits = '0123456789abcdef';
    const base = '00000000-0000-4000-8000-000000000000';
    const similar = [...base].flatMap((digit, at) =>
      digit === '-' ? [] : [base.slice(0, at) + digits[(digits.indexOf(digit) + 1) % 16] + base.slice(at + 1)],
    );
    similar.forEach((one, revision) => {
      table.set(one, { stream: 1, revision, position: 64 });
    });
    assert.deepEqual(
      similar.map((one) => table.get(one)?.revision),
      similar.map((_, revision) => revision),
    );
    assert.equal(table.get(base), undefined);
  });
});
