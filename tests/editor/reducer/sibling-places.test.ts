/** Places among siblings that are taken. */
import assert from 'node:assert/strict';
import type { NodeId, OrderKey } from '../../../domain/editor/ids';
import { limits } from '../../../domain/editor/limits';
import { keyBetween } from '../../../domain/editor/scene/fractional-index';
import { findInvariantViolations } from '../../../domain/editor/scene/invariants';
import { childIds } from '../../../domain/editor/scene/scene';
import { create, emptyReplica, idOf, move, newNode, nodeAt, outcomesOf, run } from './clients';

describe('places', () => {
  const orderOf = (here: ReturnType<typeof emptyReplica>, parentId: NodeId | null = null): readonly string[] =>
    [...childIds(here.scene, parentId)].map((id) => id.split(':')[1] ?? '');

  it('that are taken are replaced by the next free one, which the outcome reports', () => {
    const here = emptyReplica();
    run(here, create(newNode(1, { orderKey: 'a' }), newNode(2, { orderKey: 'b' })));
    assert.deepEqual(
      outcomesOf(run(here, create(newNode(3, { orderKey: 'a' })), move(idOf(2), null, { orderKey: 'a' }))),
      ['transformed order-key-taken', 'transformed order-key-taken'],
    );
    assert.deepEqual(orderOf(here), ['1', '2', '3']);
    assert.deepEqual(outcomesOf(run(here, move(idOf(1), null, { orderKey: 'a' }))), ['dropped nothing-changes']);
  });

  it('get new keys when those between are used up, with as few siblings as possible', () => {
    const here = emptyReplica();
    const tight = ['a', 'a0', 'a00', 'a000', 'b', 'c'];
    run(here, create(...tight.map((orderKey, index) => newNode(index + 1, { orderKey }))));
    assert.deepEqual(outcomesOf(run(here, create(newNode(9, { orderKey: 'a0' })))), ['transformed order-key-taken']);
    assert.deepEqual(
      orderOf(here),
      ['1', '9', '2', '3', '4', '5', '6'].toSorted((l, r) => orderOf(here).indexOf(l) - orderOf(here).indexOf(r)),
    );
    assert.deepEqual(findInvariantViolations(here.scene), []);
    assert.ok(
      orderOf(here).indexOf('9') > orderOf(here).indexOf('1') &&
        orderOf(here).indexOf('9') < orderOf(here).indexOf('3'),
    );
  });

  it('have bounded keys after a thousand inserts between the same neighbours', () => {
    const here = emptyReplica();
    run(here, create(newNode(1, { orderKey: 'a' }), newNode(2, { orderKey: 'b' })));
    let next: OrderKey | undefined = 'b' as OrderKey;
    for (let count = 3; count < 1_003; count += 1) {
      const wanted: OrderKey | undefined = keyBetween(nodeAt(here, 1)?.orderKey, next);
      run(here, create(newNode(count, { orderKey: wanted })));
      next = nodeAt(here, count)?.orderKey as OrderKey;
    }
    const keys = orderOf(here).map((number) => nodeAt(here, Number(number))?.orderKey ?? '');
    assert.ok(keys.every((each) => each.length <= limits.orderKeyLength));
    assert.deepEqual(orderOf(here), ['1', ...Array.from({ length: 1_000 }, (_, index) => String(1_002 - index)), '2']);
    assert.deepEqual(findInvariantViolations(here.scene), []);
  });

  it('never exceed the key length, for any request', () => {
    const here = emptyReplica();
    const long = 'z'.repeat(limits.orderKeyLength + 1);
    assert.deepEqual(outcomesOf(run(here, create(newNode(1, { orderKey: long })))), ['transformed order-key-taken']);
    assert.ok((nodeAt(here, 1)?.orderKey.length ?? 99) <= limits.orderKeyLength);
  });
});
