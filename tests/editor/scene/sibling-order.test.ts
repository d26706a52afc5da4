/** Keys of siblings, and the structure that keeps them in order. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keyBetween, keysBetween } from '../../../domain/editor/scene/fractional-index';
import {
  emptySiblingIndex,
  insertSibling,
  removeSibling,
  siblingIds,
  siblingsBefore,
  siblingsFrom,
} from '../../../domain/editor/scene/sibling-index';
import { idOf } from '../reducer/clients';

const key = fc.string({ unit: fc.constantFrom('0', '1', 'V', 'z', 'a'), minLength: 1, maxLength: 8 });

describe('keys between two others', () => {
  it('sort between them; undefined if there is none', () =>
    fc.assert(
      fc.property(
        fc.option(key, { nil: undefined }),
        fc.option(key, { nil: undefined }),
        fc.nat(40),
        (low, high, count) => {
          const keys = keysBetween(low, high, count);
          if (low !== undefined && high !== undefined && low >= high) assert.ok(count === 0 || keys === undefined);
          const all = [...(low === undefined ? [] : [low]), ...(keys ?? []), ...(high === undefined ? [] : [high])];
          if (keys === undefined) return;
          assert.equal(keys.length, count);
          assert.ok(keys.every((each) => !each.endsWith('0')));
          if (count > 0) assert.deepEqual([...new Set(all)].toSorted(), all);
        },
      ),
      { numRuns: 500 },
    ));

  it('exist unless one key is the other with lowest digits appended', () =>
    fc.assert(
      fc.property(key, key, (left, right) => {
        const [low = '', high = ''] = [left, right].toSorted();
        const isTight = low === high || (high.startsWith(low) && /^0*$/.test(high.slice(low.length)));
        assert.equal(keyBetween(low, high) === undefined, isTight);
      }),
      { numRuns: 500 },
    ));

  it('stay short at both ends after ten thousand', () => {
    let [low, high] = [keyBetween(undefined, undefined), keyBetween(undefined, undefined)];
    for (let count = 0; count < 10_000; count += 1)
      [low, high] = [keyBetween(undefined, low), keyBetween(high, undefined)];
    assert.deepEqual([low?.length, high?.length], [6, 6]);
  });
});

describe('siblings', () => {
  const sibling = fc.record({ orderKey: key, id: fc.integer({ min: 1, max: 400 }).map((count) => idOf(count)) });

  it('equal a sorted list, over several blocks', () =>
    fc.assert(
      fc.property(
        fc.array(sibling, { minLength: 600, maxLength: 1_500 }),
        fc.array(fc.nat(), { maxLength: 300 }),
        sibling,
        (put, gone, from) => {
          const siblings = emptySiblingIndex();
          const names = (each: { orderKey: string; id: string }): string => `${each.orderKey} ${each.id}`;
          const known = new Map(put.map((each) => [names(each), each]));
          for (const each of known.values()) insertSibling(siblings, each);
          for (const place of gone) {
            const each = put[place % put.length];
            if (each === undefined || !known.delete(names(each))) continue;
            removeSibling(siblings, each);
          }
          const sorted = [...known.values()].sort((l, r) =>
            l.orderKey === r.orderKey ? (l.id < r.id ? -1 : 1) : l.orderKey < r.orderKey ? -1 : 1,
          );
          assert.deepEqual(
            [...siblingIds(siblings)],
            sorted.map(({ id }) => id),
          );
          assert.equal(siblings.size, sorted.length);
          const isBefore = (each: typeof from): boolean =>
            each.orderKey < from.orderKey || (each.orderKey === from.orderKey && each.id < from.id);
          assert.deepEqual(
            [...siblingsFrom(siblings, from)],
            sorted.filter((each) => !isBefore(each)),
          );
          assert.deepEqual([...siblingsBefore(siblings, from)].reverse(), sorted.filter(isBefore));
        },
      ),
      { numRuns: 20 },
    ));
});
