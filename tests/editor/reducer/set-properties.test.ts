/** Properties: the last writer wins, of each by itself. */
import assert from 'node:assert/strict';
import { limits } from '../../../domain/editor/limits';
import { create, emptyReplica, idOf, newNode, nodeAt, operation, outcomesOf, run, set } from './clients';

const [one, two, three] = [idOf(1), idOf(2), idOf(3)] as const;

describe('properties', () => {
  it('are written separately: the last writer of one wins, others stay', () => {
    const here = emptyReplica();
    run(here, create(newNode(1, { properties: { style: { fill: 'red', stroke: 'black' } } })));
    run(here, set(one, { style: { fill: 'blue' } }), set(one, { 'style.fill': 'green', opacity: 0.5 }));
    assert.deepEqual(nodeAt(here, 1)?.properties, { 'style.fill': 'green', 'style.stroke': 'black', opacity: 0.5 });
    assert.equal(nodeAt(here, 1)?.revision, 3);
  });

  it('are stored under unknown names, also those of Object.prototype', () => {
    const here = emptyReplica();
    run(here, create(newNode(1)), set(one, { later: { deep: [1] }, constructor: 'x', 'style.toString': 1 }));
    assert.deepEqual(Object.entries(nodeAt(here, 1)?.properties ?? {}), [
      ['later', { deep: [1] }],
      ['constructor', 'x'],
      ['style.toString', 1],
    ]);
  });

  it('are removed by unset, with all nested names', () => {
    const here = emptyReplica();
    run(here, create(newNode(1, { properties: { 'style.fill': 'red', 'style.stroke': 1, styled: true } })));
    run(here, operation('setProperties', { unset: ['style'] }, { targetIds: [one] }));
    assert.deepEqual(nodeAt(here, 1)?.properties, { styled: true });
  });

  it('are rejected if they are too large for all targets together', () => {
    const here = emptyReplica();
    const ids = Array.from({ length: 2_000 }, (_, index) => idOf(index + 1));
    for (let from = 1; from <= ids.length; from += 500)
      run(here, create(...Array.from({ length: 500 }, (_, index) => newNode(from + index))));
    const fill = (length: number, targets: number) =>
      operation('setProperties', { set: { 'style.fill': 'x'.repeat(length) } }, { targetIds: ids.slice(0, targets) });
    const fills = [fill(60_000, 2_000), fill(2_500, 2_000), fill(1_000, 2_000), fill(60_000, 50), fill(60_001, 1)];
    assert.deepEqual(outcomesOf(run(here, ...fills)), [
      'rejected too-large',
      'rejected too-large',
      'applied',
      'applied',
      'applied',
    ]);
  });

  it('can be unset by the maximum of names at no higher cost', () => {
    const here = emptyReplica();
    const ids = Array.from({ length: 100 }, (_, index) => idOf(index + 1));
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}.a.b`, 1]));
    for (const [index] of ids.entries()) run(here, create(newNode(index + 1, { properties })));
    const costOf = (count: number): number => {
      const unset = Array.from({ length: count }, (_, index) => `p${index}.c`);
      const unsetAll = operation('setProperties', { unset }, { targetIds: ids });
      const costs = [1, 2, 3].map(() => {
        const began = performance.now();
        assert.deepEqual(outcomesOf(run(here, unsetAll)), ['dropped nothing-changes']);
        return performance.now() - began;
      });
      return Math.min(...costs);
    };
    costOf(1);
    assert.ok(costOf(500) < 40 * costOf(1));
  });

  it('are the same for all targets, or one patch each; deleted targets are omitted', () => {
    const here = emptyReplica();
    run(here, create(newNode(1), newNode(2)));
    const all = operation(
      'setProperties',
      { set: { a: 1 }, nodes: { [two]: { set: { a: 2 } } } },
      { targetIds: [one, two, three] },
    );
    assert.deepEqual(outcomesOf(run(here, all)), ['transformed partly-deleted']);
    assert.deepEqual([nodeAt(here, 1)?.properties, nodeAt(here, 2)?.properties], [{ a: 1 }, { a: 2 }]);
    assert.deepEqual(outcomesOf(run(here, all, set(three, { a: 1 }))), [
      'dropped target-deleted',
      'dropped target-deleted',
    ]);
  });

  it('are rejected if they are invalid', () => {
    const here = emptyReplica();
    run(here, create(newNode(1), newNode(2, { type: 'text' })));
    const cases: readonly [unknown, string][] = [
      [JSON.parse('{"__proto__": 1}'), 'malformed'],
      [JSON.parse('{"style": {"__proto__": 1}}'), 'malformed'],
      [JSON.parse('{"a": {"__proto__": 1}}'), 'malformed'],
      [{ a: Number.NaN }, 'malformed'],
      [{ a: undefined }, 'malformed'],
      [{ a: '\ud800' }, 'malformed'],
      [{ style: 'red' }, 'malformed'],
      [{ parentId: null }, 'malformed'],
      [{ transform: [1, 2] }, 'malformed'],
      [{ localBounds: { x: 1 } }, 'malformed'],
      [{ instanceOf: 'x' }, 'malformed'],
      [{ a: JSON.parse('['.repeat(100) + ']'.repeat(100)) }, 'malformed'],
      [{ a: 'x'.repeat(limits.propertyBytes) }, 'too-large'],
      [
        Object.fromEntries(Array.from({ length: limits.propertiesOfNode + 1 }, (_, index) => [`p${index}`, 1])),
        'too-large',
      ],
    ];
    for (const [properties, reason] of cases)
      assert.deepEqual(outcomesOf(run(here, set(one, properties as object))), [`rejected ${reason}`]);
    assert.deepEqual(outcomesOf(run(here, set(two, { text: 'x' }))), ['rejected text-has-structure']);
    assert.deepEqual(nodeAt(here, 1)?.properties, {});
  });
});
