/** Typing, groups, and versions that come back. */
import assert from 'node:assert/strict';
import type { Operation } from '../../../domain/editor/operation';
import { plainText } from '../../../domain/editor/text/text-content';
import { emptyText } from '../../../domain/editor/text/text-state';
import { typeInSteps } from '../text/typing';
import {
  ann,
  create,
  emptyReplica,
  idOf,
  move,
  newNode,
  nodeAt,
  operation,
  outcomesOf,
  run,
  runAs,
  set,
  typed,
} from './clients';

const [one, two, three] = [idOf(1), idOf(2), idOf(3)] as const;

describe('typing', () => {
  it('is merged into text nodes, and only there', () => {
    const here = emptyReplica();
    const [first = '', second = ''] = typeInSteps([
      ['hello', 0],
      [' you', 5],
    ]);
    run(here, create(newNode(1, { type: 'text' }), newNode(2)));
    assert.deepEqual(
      outcomesOf(
        run(here, typed(one, first), typed(one, second), typed(one, second), typed(two, first), typed(three, first)),
      ),
      ['applied', 'applied', 'dropped nothing-changes', 'rejected not-text', 'dropped target-deleted'],
    );
    assert.equal(plainText(nodeAt(here, 1)?.text ?? emptyText), 'hello you');
  });
});

describe('groups', () => {
  it('are committed completely or not at all, and report the rejected part', () => {
    const here = emptyReplica();
    const grouped = (each: Operation): Operation => ({ ...each, atomicGroup: 'g' });
    run(here, create(newNode(1)));
    const edits = [set(one, { a: 1 }), move(one, one), set(one, { b: 1 })].map(grouped);
    assert.deepEqual(outcomesOf(run(here, ...edits, set(one, { c: 1 }))), [
      'rejected group-refused',
      'rejected cycle',
      'rejected group-refused',
      'applied',
    ]);
    assert.deepEqual(nodeAt(here, 1)?.properties, { c: 1 });
    assert.deepEqual(outcomesOf(run(here, ...[set(one, { a: 1 }), set(one, { a: 1 })].map(grouped))), [
      'applied',
      'dropped nothing-changes',
    ]);
  });
});

describe('restoring a version', () => {
  it('requires an existing version, and accepts no snapshot of the client', () => {
    const here = emptyReplica();
    run(here, create(newNode(1)));
    const { committed, outcomes } = runAs(here, ann, [
      operation('restoreVersion', { version: 1, snapshot: { manifestKey: 'mine', checksum: 'x' } }),
      operation('restoreVersion', { version: 7 }),
      operation('restoreVersion', { version: -1 }),
    ]);
    assert.deepEqual(outcomesOf(outcomes), ['applied', 'rejected version-unknown', 'rejected malformed']);
    assert.deepEqual(committed[0]?.payload, { version: 1 });
  });
});
