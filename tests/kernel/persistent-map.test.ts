/** The map of folds: it behaves as a map, and what was read of it before stays as it was. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  emptyMap,
  entriesOf,
  findValue,
  type PersistentMap,
  withoutValue,
  withValue,
} from '../../domain/kernel/persistent-map';

interface Change {
  readonly key: string;
  /** Undefined: it is removed. */
  readonly value: number | undefined;
}

const keys = fc.oneof(fc.constantFrom('a', 'b', 'c', '', '__proto__', 'constructor'), fc.string({ maxLength: 3 }));
const changes = fc.array(fc.record<Change>({ key: keys, value: fc.option(fc.nat(), { nil: undefined }) }), {
  maxLength: 60,
});

const contents = (map: PersistentMap<number>): readonly (readonly [string, number])[] => [...entriesOf(map)].toSorted();

describe('a persistent map', () => {
  it('has what a map has, at every moment', () =>
    fc.assert(
      fc.property(changes, (all) => {
        const model = new Map<string, number>();
        let map: PersistentMap<number> = emptyMap;
        const earlier: (readonly [PersistentMap<number>, ReturnType<typeof contents>])[] = [];
        for (const { key, value } of all) {
          earlier.push([map, contents(map)]);
          map = value === undefined ? withoutValue(map, key) : withValue(map, key, value);
          if (value === undefined) model.delete(key);
          else model.set(key, value);
          assert.equal(map.size, model.size);
          assert.equal(findValue(map, key), model.get(key));
        }
        assert.deepEqual(contents(map), [...model].toSorted());
        for (const [before, had] of earlier) assert.deepEqual(contents(before), had);
      }),
    ));

  it('stays the same where there is nothing to remove', () => {
    const map = withValue<number>(emptyMap, 'a', 1);
    assert.equal(withoutValue(map, 'b'), map);
  });
});
