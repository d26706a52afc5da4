/** What is made and deleted, and what others did to it meanwhile. */
import assert from 'node:assert/strict';
import { limits } from '../../../domain/editor/limits';
import type { Operation } from '../../../domain/editor/operation';
import { siblingsOf } from '../../../domain/editor/scene/scene';
import { plainText } from '../../../domain/editor/text/text-content';
import { emptyText } from '../../../domain/editor/text/text-state';
import { typeInSteps } from '../text/typing';
import {
  ann,
  bob,
  create,
  emptyReplica,
  idOf,
  newNode,
  nodeAt,
  operation,
  outcomesOf,
  remove,
  run,
  runAs,
  set,
} from './clients';

const [one, two, three, four] = [idOf(1), idOf(2), idOf(3), idOf(4)] as const;
const frame = (number: number, more: object = {}) => newNode(number, { type: 'frame', ...more });
const shifted = (x: number, y = 0): readonly number[] => [1, 0, 0, 1, x, y];
const byBob = (where: ReturnType<typeof emptyReplica>, ...operations: readonly Operation[]): readonly string[] =>
  outcomesOf(runAs(where, bob, operations).outcomes);

describe('deletions', () => {
  it('delete the whole subtree, children first, and record it', () => {
    const here = emptyReplica();
    run(here, create(frame(1), frame(2, { parentId: one }), newNode(3, { parentId: two }), newNode(4)));
    const { committed, outcomes } = runAs(here, ann, [remove(three, one, idOf(9))]);
    assert.deepEqual(outcomesOf(outcomes), ['transformed partly-deleted']);
    assert.deepEqual(committed[0]?.payload, { deleted: [three, two, one] });
    assert.deepEqual(outcomesOf(run(here, set(three, { a: 1 }), remove(one))), [
      'dropped target-deleted',
      'dropped target-deleted',
    ]);
    assert.ok(nodeAt(here, 4) !== undefined);
  });

  it('keep nodes that others put below when only the named ones are deleted', () => {
    const here = emptyReplica();
    run(
      here,
      create(
        frame(1, { properties: { transform: shifted(10) } }),
        frame(2, { parentId: one, properties: { transform: shifted(20) } }),
      ),
    );
    byBob(here, create(newNode(1, { id: idOf(1, bob), parentId: two })));
    run(here, operation('deleteNode', { onlyNamed: true }, { targetIds: [one, two] }));
    const remaining = nodeAt(here, 1, bob);
    assert.deepEqual(
      [nodeAt(here, 1), nodeAt(here, 2), remaining?.parentId, remaining?.properties.transform],
      [undefined, undefined, null, shifted(30)],
    );
  });
});

describe('deletions of large subtrees', () => {
  it('are refused before any node is visited', () => {
    const here = emptyReplica();
    run(here, create(frame(1)));
    for (let count = 0; count <= limits.targets; count += 500)
      run(here, create(...Array.from({ length: 500 }, (_, index) => newNode(2 + count + index, { parentId: one }))));
    Object.defineProperty(siblingsOf(here.scene, one), 'blocks', {
      get: () => assert.fail('a child was looked at'),
    });
    const spared = operation('deleteNode', { onlyNamed: true }, { targetIds: [one] });
    assert.deepEqual(outcomesOf(run(here, spared)), ['rejected too-large']);
  });
});

describe('creations', () => {
  it('need unused ids of their own client', () => {
    const here = emptyReplica();
    run(here, create(newNode(1)));
    assert.deepEqual(outcomesOf(run(here, create(newNode(2), newNode(1)), create(newNode(1, { id: idOf(5, bob) })))), [
      'rejected id-taken',
      'rejected id-foreign',
    ]);
    assert.equal(nodeAt(here, 2), undefined);
    run(here, remove(one));
    assert.deepEqual(outcomesOf(run(here, create(newNode(1)))), ['applied']);
  });

  it('restore nodes of others when they undo a deletion; nodes that exist again are omitted', () => {
    const here = emptyReplica();
    byBob(here, create(newNode(1, { id: idOf(1, bob) }), newNode(2, { id: idOf(2, bob) })));
    run(here, remove(idOf(1, bob)));
    const back = operation(
      'createNode',
      { nodes: [newNode(1, { id: idOf(1, bob) }), newNode(2, { id: idOf(2, bob) })] },
      { inverseOf: 'x' as Operation['opId'] },
    );
    assert.deepEqual(outcomesOf(run(here, back, back)), ['transformed id-taken', 'dropped id-taken']);
    assert.ok(nodeAt(here, 1, bob) !== undefined);
  });

  it('move to the remaining ancestor of a deleted parent, and stay where they were on the canvas', () => {
    const here = emptyReplica();
    run(here, create(frame(1, { properties: { transform: shifted(100) } })));
    const lost = newNode(2, {
      parentId: three,
      ancestors: [four, one],
      space: shifted(130),
      properties: { transform: shifted(1) },
    });
    assert.deepEqual(outcomesOf(run(here, create(lost), create(newNode(5, { parentId: three })))), [
      'transformed parent-deleted',
      'transformed parent-deleted',
    ]);
    assert.deepEqual([nodeAt(here, 2)?.parentId, nodeAt(here, 2)?.properties.transform], [one, shifted(31)]);
    assert.equal(nodeAt(here, 5)?.parentId, null);
  });

  it('may have an initial text, as a state or as plain text', () => {
    const here = emptyReplica();
    const [update = ''] = typeInSteps([['state', 0]]);
    run(
      here,
      create(newNode(1, { type: 'text', text: update }), newNode(2, { type: 'text', properties: { text: 'plain' } })),
    );
    assert.deepEqual(
      [plainText(nodeAt(here, 1)?.text ?? emptyText), plainText(nodeAt(here, 2)?.text ?? emptyText)],
      ['state', 'plain'],
    );
    assert.deepEqual(
      outcomesOf(run(here, create(newNode(3, { text: update })), create(newNode(3, { type: 'text', text: 'BBBB' })))),
      ['rejected not-text', 'rejected text-malformed'],
    );
  });
});
