/** `admit` bounds what a batch may commit: a refused group changes nothing, an admitted one is as if there were no bound. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from '../../../domain/editor/operation';
import { groupAtomic } from '../../../domain/editor/reducer/atomic-groups';
import { runBatch } from '../../../domain/editor/reducer/batch';
import type { ResolveContext } from '../../../domain/editor/reducer/resolution';
import { rollBack } from '../../../domain/editor/reducer/rollback-journal';
import { findInvariantViolations } from '../../../domain/editor/scene/invariants';
import type { Scene } from '../../../domain/editor/scene/scene';
import { asGroup, batches, initialBatches } from './arbitrary-batches';
import { canonicalOf, contextOf, emptyReplica, runAs } from './clients';

const bound = fc.record({ bytes: fc.integer({ min: 0, max: 2_000 }), isGroup: fc.boolean() });
const bounds = fc.array(bound, { minLength: 1, maxLength: 8 });

const bytesOf = (operations: readonly Operation[]): number =>
  operations.reduce((sum, operation) => sum + Buffer.byteLength(JSON.stringify(operation)), 0);

/** As the owner bounds an append: admits resolved operations while their bytes fit. */
const createByteBound = (maxBytes: number) => {
  let bytes = 0;
  return {
    isExceeded: () => bytes > maxBytes,
    admit: (operation: Operation) => {
      bytes += bytesOf([operation]);
      return bytes > maxBytes ? 'too-large' : undefined;
    },
  } as const;
};

/** The result without a bound; the scene is as before. */
const runAndRollBack = (scene: Scene, group: readonly Operation[], context: ResolveContext) => {
  const result = runBatch(scene, group, context);
  const canonical = canonicalOf(scene);
  rollBack(scene, result.journal);
  return { ...result, canonical };
};

describe('a bound on what a batch commits', () => {
  it('changes nothing by a refused group, and nothing about an admitted one', () => {
    const count = { refused: 0, refusedLate: 0, admitted: 0 };
    fc.assert(
      fc.property(batches, bounds, (sent, each) => {
        const owner = emptyReplica();
        const { scene } = owner;
        for (const { client, operations } of initialBatches) runAs(owner, client, operations);
        for (const [index, { client, operations }] of sent.entries()) {
          const { bytes: maxBytes, isGroup } = each[index % each.length] ?? { bytes: 0, isGroup: false };
          for (const group of isGroup ? [asGroup(operations)] : groupAtomic(operations)) {
            const context = contextOf(owner.version + 1, client);
            const before = { canonical: canonicalOf(scene), bytes: scene.bytes };
            const unbounded = runAndRollBack(scene, group, context);
            assert.deepEqual({ canonical: canonicalOf(scene), bytes: scene.bytes }, before);
            const { isExceeded, admit } = createByteBound(maxBytes);
            const { outcomes, committed, journal } = runBatch(scene, group, { ...context, admit });
            assert.deepEqual(findInvariantViolations(scene), []);
            if (isExceeded()) {
              const at = outcomes.findIndex(({ reason }) => reason === 'too-large');
              assert.deepEqual(
                outcomes,
                group.map(({ opId }, place) => ({
                  opId,
                  status: 'rejected',
                  reason: place === at ? 'too-large' : 'group-refused',
                })),
              );
              assert.deepEqual({ committed, journal }, { committed: [], journal: [] });
              assert.deepEqual({ canonical: canonicalOf(scene), bytes: scene.bytes }, before);
              count.refused += 1;
              if (at > 0) count.refusedLate += 1;
            } else {
              assert.ok(bytesOf(committed) <= maxBytes);
              const { canonical, ...expected } = unbounded;
              assert.deepEqual(
                { outcomes, committed, journal },
                { outcomes: expected.outcomes, committed: expected.committed, journal: expected.journal },
              );
              assert.deepEqual(canonicalOf(scene), canonical);
              if (committed.length > 0) count.admitted += 1;
            }
            owner.version += committed.length;
          }
        }
      }),
      { numRuns: 60 },
    );
    // Each case must have occurred.
    assert.ok(count.refused > 0 && count.refusedLate > 0 && count.admitted > 0, JSON.stringify(count));
  });
});
