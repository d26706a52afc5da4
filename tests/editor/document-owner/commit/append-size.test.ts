/** An append is bounded, however the batches divide into it; what does not fit is in a later one. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome } from '../../../../domain/editor/outcome';
import { type AtomicGroup, groupAtomic } from '../../../../domain/editor/reducer/atomic-groups';
import { runBatch } from '../../../../domain/editor/reducer/batch';
import { rollBack } from '../../../../domain/editor/reducer/rollback-journal';
import { asGroup, batches, initialBatches, type SentBatch } from '../../reducer/arbitrary-batches';
import { canonicalOf, contextOf, emptyReplica, type Replica } from '../../reducer/clients';
import { events, opened, place, stage, submit, unprovenClientIds } from '../fixture';
import { assertWhole, replayLog } from '../log-invariants';

const principalOf = (clientId: ClientId): string => contextOf(1, clientId).actorId;

/** As two clients send them: numbered, without inverses, whose rules need the client table. */
const numbered = (sent: readonly SentBatch[], groups: readonly boolean[]): readonly SentBatch[] => {
  const next = new Map<ClientId, number>();
  return sent.map(({ client, operations }, index) => ({
    client,
    operations: (groups[index % groups.length] === true ? asGroup(operations) : operations).map((operation) => {
      const clientSeq = (next.get(client) ?? 0) + 1;
      next.set(client, clientSeq);
      const { inverseOf, ...rest } = operation;
      const opId = `${client}-${clientSeq}` as OperationId;
      return { ...rest, opId, clientSeq, documentId: place.documentId, actorId: principalOf(client) };
    }),
  }));
};

const bytesOf = (operations: readonly unknown[]): number =>
  operations.reduce<number>((sum, operation) => sum + Buffer.byteLength(JSON.stringify(operation)), 0);

const operationsOf = ({ data }: { readonly data: unknown }): readonly unknown[] =>
  (data as { readonly operations?: readonly unknown[] }).operations ?? [];

/** The outcomes without a bound, unless the group alone exceeds the bound. */
const expectedOutcomes = (
  reference: Replica,
  group: AtomicGroup,
  { client, maxBytes }: { readonly client: ClientId; readonly maxBytes: number },
): readonly Outcome[] => {
  let bytes = 0;
  const admit = (operation: Operation): undefined => {
    bytes += bytesOf([operation]);
  };
  const context = { ...contextOf(reference.version + 1, client), admit };
  const { outcomes, committed, journal } = runBatch(reference.scene, group, context);
  if (bytes > maxBytes) {
    rollBack(reference.scene, journal);
    return group.map(({ opId }) => ({ opId, status: 'rejected', reason: 'too-large' }));
  }
  reference.version += committed.length;
  return outcomes;
};

describe('appends of an owner', () => {
  it('never have more bytes than one may, and lose nothing', () =>
    fc.assert(
      fc.asyncProperty(
        batches,
        fc.integer({ min: 400, max: 3_000 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
        async (random, maxBytes, groups) => {
          const now = stage({
            append: { bytes: maxBytes, operations: 50, pauseMilliseconds: 0, retryMilliseconds: 100 },
          });
          const sizes: number[] = [];
          const append = async (...request: Parameters<typeof now.store.append>) => {
            sizes.push(bytesOf(request[2].flatMap(operationsOf)));
            return now.store.append(...request);
          };
          const document = await opened(now.owner({ store: { ...now.store, append }, clientIds: unprovenClientIds }));
          const sent = numbered([...initialBatches, ...random], groups);
          // All are queued before the first append ends.
          const results = await Promise.all(
            sent.map(({ client, operations }) => submit(document, operations, principalOf(client))),
          );
          const reference = emptyReplica();
          for (const [index, { client, operations }] of sent.entries())
            assert.deepEqual(
              results[index]?.results,
              groupAtomic(operations).flatMap((group) => expectedOutcomes(reference, group, { client, maxBytes })),
            );
          assert.deepEqual(canonicalOf(document.scene()), canonicalOf(reference.scene));
          assert.ok(
            sizes.every((size) => size <= maxBytes),
            `${sizes.join(', ')} of ${maxBytes}`,
          );
          const log = await events(now);
          assert.equal(assertWhole(log).size, reference.version);
          assert.equal(replayLog(log), canonicalOf(reference.scene).join('\n'));
          await now.close();
        },
      ),
      { numRuns: 30 },
    ));
});
