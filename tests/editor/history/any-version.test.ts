/** Whatever a log holds: every version of it can be had, and is what it was. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { diffScenes } from '../../../domain/editor/scene/diff';
import { canonicalJson } from '../../../domain/editor/scene/json';
import { emptyScene } from '../../../domain/editor/scene/scene';
import type { SnapshotFault } from '../../../infra/server/documents/piece-blobs';
import type { DiffPage, DiffPageRequest } from '../../../infra/server/documents/snapshots/diff-pages';
import { type NodeDiffView, toNodeDiffView } from '../../../infra/server/documents/snapshots/diff-presentation';
import { loadSnapshot } from '../../../infra/server/documents/snapshots/snapshot-reader';
import { batches, initialBatches } from '../reducer/arbitrary-batches';
import { canonicalOf, emptyReplica, runAs } from '../reducer/clients';
import { tenant } from '../snapshots/small-chunks';
import { commit, openVariedLog, restore, sceneAt, takeOver, takeSnapshot, type VariedLog } from './varied-log';

type Step = (log: VariedLog, first: number) => Promise<void>;

const versionAt = ({ present }: VariedLog, first: number, part: number): number =>
  first + Math.floor(((present.version - first) * part) / 100);

const isSpoilt = fc.integer({ min: 0, max: 3 }).map((one) => one === 0);
const part = fc.integer({ min: 0, max: 100 });
const parts = fc.array(part, { minLength: 4, maxLength: 4 });
const taking = fc.record({ ago: fc.nat(3), isSpoilt });
const putting = fc.record({ part, isSpoilt });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(async () => undefined) },
  { weight: 1, arbitrary: fc.constant(takeOver) },
  {
    weight: 3,
    arbitrary: taking.map(
      (taken): Step =>
        (log) =>
          takeSnapshot(log, taken),
    ),
  },
  {
    weight: 1,
    arbitrary: putting.map(
      (restored): Step =>
        (log, first) =>
          restore(log, versionAt(log, first, restored.part), restored),
    ),
  },
);
const history = fc.record({
  clientBatches: batches,
  steps: fc.array(step, { minLength: 16, maxLength: 16 }),
  isCopy: fc.boolean(),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

const copied = () => {
  const original = emptyReplica();
  for (const { client, operations } of initialBatches) runAs(original, client, operations);
  return original;
};

const writeHistory = async ({ clientBatches, steps, isCopy }: History) => {
  const log = await openVariedLog(isCopy ? copied() : undefined);
  const first = log.present.version;
  for (const [index, { client, operations }] of [...(isCopy ? [] : initialBatches), ...clientBatches].entries()) {
    await commit(log, client, operations);
    await steps[index % steps.length]?.(log, first);
  }
  return { log, first };
};

const snapshotOf = async (log: VariedLog, version: number) => {
  const snapshot = await log.at(version);
  assert.ok(isRight(snapshot), `${version}: ${JSON.stringify(snapshot)}`);
  assert.equal(snapshot.right.version, version);
  return snapshot.right;
};

const counted = (items: readonly NodeDiffView[], kind: string): number =>
  items.filter((item) => item.kind === kind).length;

const pagesOf = async (log: VariedLog, firstRequest: DiffPageRequest): Promise<readonly NodeDiffView[]> => {
  const items: NodeDiffView[] = [];
  for (let comparing: DiffPageRequest | undefined = firstRequest; comparing !== undefined; ) {
    const page: Either<SnapshotFault, DiffPage> = await log.runJob(tenant, { kind: 'compare', request: comparing });
    assert.ok(isRight(page), JSON.stringify(page));
    items.push(...page.right.items);
    const { next, counts }: DiffPage = page.right;
    const isWhole = page.right.items.length <= firstRequest.limit && (next === undefined || next === items.at(-1)?.id);
    assert.ok(isWhole, 'as many as asked for, and on behind the last');
    comparing = next === undefined ? undefined : { ...firstRequest, after: next };
    if (next !== undefined) continue;
    const [created, deleted, changed] = ['created', 'deleted', 'changed'].map((kind) => counted(items, kind));
    assert.deepEqual(counts, { created, deleted, changed });
  }
  return items;
};

describe('any version of a document', () => {
  it('is reproduced from any snapshot', () =>
    fc.assert(
      fc.asyncProperty(history, parts, async (recorded, shares) => {
        const { log, first } = await writeHistory(recorded);
        const { version: head } = log.present;
        for (const version of [first, head, ...shares.map((one) => versionAt(log, first, one))]) {
          const scene = emptyScene();
          assert.ok(isRight(await loadSnapshot(log.pieces, await snapshotOf(log, version), scene)));
          assert.deepEqual(canonicalOf(scene), canonicalOf(sceneAt(log, version)), `version ${version}`);
        }
        for (const version of first === 0 ? [head + 1] : [0, first - 1, head + 1]) {
          const never = await log.at(version);
          assert.ok(isLeft(never) && never.left.code === 'version-unknown', `version ${version}`);
        }
      }),
      { numRuns: 50 },
    ));

  it('differs from any other by the operations in between', () =>
    fc.assert(
      fc.asyncProperty(history, parts, fc.constantFrom(1, 2, 7, 1_000), async (recorded, shares, limit) => {
        const { log, first } = await writeHistory(recorded);
        const [one = first, other = first] = shares.map((share) => versionAt(log, first, share));
        const [from, to] = [await snapshotOf(log, one), await snapshotOf(log, other)];
        const differences = [...diffScenes(sceneAt(log, one), sceneAt(log, other))];
        const expected = differences.map(toNodeDiffView).sort((left, right) => (left.id < right.id ? -1 : 1));
        // As JSON, where there is one zero.
        assert.equal(canonicalJson(await pagesOf(log, { from, to, limit })), canonicalJson(expected));
      }),
      { numRuns: 40 },
    ));
});
