/** Whatever is asked: scenes stay sound, replicas equal, and everything can be taken back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Operation, payloads } from '../../../domain/editor/operation';
import { Outcome } from '../../../domain/editor/outcome';
import { apply, takeBack } from '../../../domain/editor/scene/apply';
import { faultsIn } from '../../../domain/editor/scene/faults';
import { resolve } from '../../../domain/editor/scene/resolve';
import { emptyScene, nodesOf, type Scene, write } from '../../../domain/editor/scene/scene';
import { nodeOfStored, storedNode } from '../../../domain/editor/scene/stored';
import { batches, beginnings } from './arbitrary';
import { contextOf, room, runAs, wholeOf } from './support';

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const copyOf = (scene: Scene): Scene => {
  const copy = emptyScene();
  for (const node of nodesOf(scene)) {
    const read = nodeOfStored(throughJson(storedNode(node)));
    assert.ok(read !== undefined);
    write(copy, read.id, read);
  }
  return copy;
};

describe('replicas of a scene', () => {
  it('are sound after every batch, and equal to what others make of the committed operations', () =>
    fc.assert(
      fc.property(batches, (said) => {
        const owner = room();
        const replica = emptyScene();
        let version = 0;
        for (const { client, operations } of [...beginnings, ...said]) {
          const { committed, outcomes } = runAs(owner, client, operations);
          assert.equal(outcomes.length, operations.length);
          assert.ok(outcomes.every(Outcome.is));
          assert.deepEqual(faultsIn(owner.scene), []);
          for (const operation of throughJson(committed)) {
            version += 1;
            assert.ok(Operation.is(operation) && payloads[operation.type].is(operation.payload));
            apply(replica, operation, version);
          }
          assert.deepEqual(wholeOf(replica), wholeOf(owner.scene));
        }
        assert.deepEqual(wholeOf(copyOf(owner.scene)), wholeOf(owner.scene));
      }),
      { numRuns: 90 },
    ));

  it('are as before when batches are taken back, and when something was only resolved', () =>
    fc.assert(
      fc.property(batches, (said) => {
        const owner = room();
        const done: { whole: readonly string[]; journal: Parameters<typeof takeBack>[1] }[] = [];
        for (const { client, operations } of [...beginnings, ...said]) {
          const whole = wholeOf(owner.scene);
          for (const operation of operations) resolve(owner.scene, operation, contextOf(owner.version + 1, client));
          assert.deepEqual(wholeOf(owner.scene), whole);
          done.push({ whole, journal: runAs(owner, client, operations).journal });
        }
        for (const { whole, journal } of done.toReversed()) {
          takeBack(owner.scene, journal);
          assert.deepEqual(faultsIn(owner.scene), []);
          assert.deepEqual(wholeOf(owner.scene), whole);
        }
      }),
      { numRuns: 40 },
    ));
});
