/** Under arbitrary batches scenes stay sound, replicas equal, and everything can be undone. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Operation, payloadCodecs } from '../../../domain/editor/operation';
import { Outcome } from '../../../domain/editor/outcome';
import { apply, rollBack } from '../../../domain/editor/reducer/apply';
import { resolve } from '../../../domain/editor/reducer/resolve';
import { findInvariantViolations } from '../../../domain/editor/scene/invariants';
import { nodeFromJson, nodeToJson } from '../../../domain/editor/scene/nodes/node-json';
import { emptyScene, iterateNodes, type Scene, setNode } from '../../../domain/editor/scene/scene';
import { batches, initialBatches } from './arbitrary-batches';
import { canonicalOf, contextOf, emptyReplica, runAs } from './clients';

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const copyOf = (scene: Scene): Scene => {
  const copy = emptyScene();
  for (const node of iterateNodes(scene)) {
    const read = nodeFromJson(throughJson(nodeToJson(node)));
    assert.ok(read !== undefined);
    setNode(copy, read.id, read);
  }
  return copy;
};

describe('replicas of a scene', () => {
  it('satisfy the invariants after every batch, and equal replicas of the committed operations', () =>
    fc.assert(
      fc.property(batches, (sent) => {
        const owner = emptyReplica();
        const replica = emptyScene();
        let version = 0;
        for (const { client, operations } of [...initialBatches, ...sent]) {
          const { committed, outcomes } = runAs(owner, client, operations);
          assert.equal(outcomes.length, operations.length);
          assert.ok(outcomes.every(Outcome.is));
          assert.deepEqual(findInvariantViolations(owner.scene), []);
          for (const operation of throughJson(committed)) {
            version += 1;
            assert.ok(Operation.is(operation) && payloadCodecs[operation.type].is(operation.payload));
            apply(replica, operation, version);
          }
          assert.deepEqual(canonicalOf(replica), canonicalOf(owner.scene));
        }
        assert.deepEqual(canonicalOf(copyOf(owner.scene)), canonicalOf(owner.scene));
      }),
      { numRuns: 90 },
    ));

  it('are unchanged after a rollback, and after resolving without applying', () =>
    fc.assert(
      fc.property(batches, (sent) => {
        const owner = emptyReplica();
        const done: { whole: readonly string[]; journal: Parameters<typeof rollBack>[1] }[] = [];
        for (const { client, operations } of [...initialBatches, ...sent]) {
          const whole = canonicalOf(owner.scene);
          for (const operation of operations) resolve(owner.scene, operation, contextOf(owner.version + 1, client));
          assert.deepEqual(canonicalOf(owner.scene), whole);
          done.push({ whole, journal: runAs(owner, client, operations).journal });
        }
        for (const { whole, journal } of done.toReversed()) {
          rollBack(owner.scene, journal);
          assert.deepEqual(findInvariantViolations(owner.scene), []);
          assert.deepEqual(canonicalOf(owner.scene), whole);
        }
      }),
      { numRuns: 40 },
    ));
});
