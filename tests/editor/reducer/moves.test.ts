/** Parent, order and place are one; what was meant elsewhere ends where it was meant. */
import assert from 'node:assert/strict';
import { limits } from '../../../domain/editor/limits';
import type { Operation } from '../../../domain/editor/operation';
import {
  bob,
  create,
  emptyReplica,
  idOf,
  move,
  newNode,
  nodeAt,
  operation,
  outcomesOf,
  remove,
  run,
  runAs,
  set,
  transform,
} from './clients';

const [one, two, three, four] = [idOf(1), idOf(2), idOf(3), idOf(4)] as const;
const frame = (number: number, more: object = {}) => newNode(number, { type: 'frame', ...more });
const shifted = (x: number, y = 0): readonly number[] => [1, 0, 0, 1, x, y];
const byBob = (where: ReturnType<typeof emptyReplica>, ...operations: readonly Operation[]): readonly string[] =>
  outcomesOf(runAs(where, bob, operations).outcomes);

describe('moves', () => {
  it('set parent, order and transform together', () => {
    const here = emptyReplica();
    run(here, create(frame(1), frame(2), newNode(3, { parentId: one })));
    run(here, move(three, two, { orderKey: 'k', transform: shifted(7) }));
    const { parentId, orderKey, properties } = nodeAt(here, 3) ?? {};
    assert.deepEqual([parentId, orderKey, properties], [two, 'k', { transform: shifted(7) }]);
  });

  it('keep a node where it is on the canvas without a transform', () => {
    const here = emptyReplica();
    run(
      here,
      create(
        frame(1, { properties: { transform: shifted(100) } }),
        frame(2, { properties: { transform: shifted(0, 50) } }),
      ),
    );
    run(here, create(newNode(3, { parentId: one, properties: { transform: shifted(5) } })), move(three, two));
    assert.deepEqual(nodeAt(here, 3)?.properties.transform, shifted(105, -50));
  });

  it('let a concurrent drag end where it was dropped', () => {
    const here = emptyReplica();
    run(
      here,
      create(
        frame(1, { properties: { transform: shifted(100) } }),
        frame(2, { properties: { transform: [2, 0, 0, 2, 0, 0] } }),
        newNode(3, { parentId: one }),
      ),
    );
    const seen = here.version;
    byBob(here, move(three, two, { transform: shifted(50) }));
    assert.deepEqual(outcomesOf(run(here, transform(three, shifted(20), { baseVersion: seen }))), [
      'transformed space-changed',
    ]);
    assert.deepEqual(nodeAt(here, 3)?.properties.transform, [0.5, 0, 0, 0.5, 60, 0]);
    run(here, set(three, { transform: shifted(20) }, { baseVersion: seen }));
    assert.deepEqual(nodeAt(here, 3)?.properties.transform, [0.5, 0, 0, 0.5, 60, 0]);
  });

  it('let it end there although the earlier parent is deleted, and recognise the mover’s own moves', () => {
    const here = emptyReplica();
    run(here, create(frame(1, { properties: { transform: shifted(100) } }), frame(2), newNode(3, { parentId: one })));
    const seen = here.version;
    byBob(here, move(three, two), remove(one), transform(three, shifted(1), { baseVersion: seen }));
    assert.deepEqual(nodeAt(here, 3)?.properties.transform, shifted(1));
    run(
      here,
      transform(three, shifted(20), { baseVersion: seen }),
      transform(three, shifted(20), { baseVersion: here.version }),
    );
    assert.deepEqual(nodeAt(here, 3)?.properties.transform, shifted(20));
  });

  it('keep transforms if the new parent’s transform is singular', () => {
    const here = emptyReplica();
    run(
      here,
      create(
        frame(1, { properties: { transform: [0, 0, 0, 0, 9, 9] } }),
        newNode(2, { properties: { transform: shifted(5) } }),
      ),
    );
    const seen = here.version;
    byBob(here, move(two, one, { transform: shifted(6) }));
    assert.deepEqual(outcomesOf(run(here, transform(two, shifted(7), { baseVersion: seen }))), ['applied']);
    assert.deepEqual(nodeAt(here, 2)?.properties.transform, shifted(7));
  });

  it('cannot form a cycle, also within one operation, or exceed the depth limit', () => {
    const here = emptyReplica();
    run(here, create(frame(1), frame(2), frame(3, { parentId: one })));
    assert.deepEqual(outcomesOf(run(here, move(one, three), move(one, one))), ['rejected cycle', 'rejected cycle']);
    const both = operation('moveChild', {
      moves: [
        { id: one, parentId: two, orderKey: 'a' },
        { id: two, parentId: three, orderKey: 'a' },
      ],
    });
    assert.deepEqual(outcomesOf(run(here, both)), ['rejected cycle']);
    assert.equal(nodeAt(here, 1)?.parentId, null);
    const chain = Array.from({ length: limits.depth - 1 }, (_, index) =>
      frame(10 + index, { parentId: index === 0 ? two : idOf(9 + index) }),
    );
    assert.deepEqual(outcomesOf(run(here, create(...chain))), ['applied']);
    assert.deepEqual(outcomesOf(run(here, move(two, one), create(frame(999, { parentId: chain.at(-1)?.id })))), [
      'rejected too-deep',
      'rejected too-deep',
    ]);
  });

  it('out of a parent that is deleted later survive; into a deleted parent they are rejected', () => {
    const here = emptyReplica();
    run(here, create(frame(1), frame(2), newNode(3, { parentId: one }), newNode(4)));
    assert.deepEqual(outcomesOf(run(here, move(three, two), remove(one), move(four, one), move(one, two))), [
      'applied',
      'applied',
      'rejected parent-deleted',
      'dropped target-deleted',
    ]);
    assert.equal(nodeAt(here, 3)?.parentId, two);
  });
});
