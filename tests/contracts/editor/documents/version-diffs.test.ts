/** Versions compared by the thread that does it in use, out of a directory. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import type { DocumentId, NodeId } from '../../../../domain/editor/ids';
import type { SceneNode } from '../../../../domain/editor/scene/scene';
import { serializeNode } from '../../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../../domain/kernel/ids';
import { openBlobs } from '../../../../infra/adapters/blobs/open-blob-store';
import { pieceBlobs } from '../../../../infra/server/documents/piece-blobs';
import type { DiffPage, DiffPageRequest } from '../../../../infra/server/documents/snapshots/diff-pages';
import { openSnapshotWorker, type SnapshotWorker } from '../../../../infra/server/documents/snapshots/snapshot-worker';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { capturedLog } from '../../../support/http/http-service';
import { typescript } from '../../../support/runner/compiled';

const tenant = 'acme' as TenantId;
const documentId = 'd-1' as DocumentId;
const clients = { clients: [], recent: [] };

const idOf = (number: number): NodeId => `client0000:${number}` as NodeId;

const node = (number: number, version: number): SceneNode => ({
  id: idOf(number),
  type: 'rect',
  parentId: null,
  orderKey: `a${number}`,
  properties: { name: `node ${number}`, opacity: version },
  revision: version,
});

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('differences of versions', () => {
  const home = temporaryDirectory('editor-differences');
  let worker: SnapshotWorker;
  before(() => {
    const config = { BLOBS_DIR: join(home.path, 'blobs'), BLOBS_KEY: 'k'.repeat(43), S3_REGION: 'us-east-1' } as never;
    const blobs = openBlobs(config, 'http://septet.test/blobs');
    assert.ok(isRight(blobs));
    worker = openSnapshotWorker({ stored: pieceBlobs(blobs.right), execArgv: typescript(), log: capturedLog() });
  });
  after(async () => {
    await worker.close();
    home.remove();
  });

  const made = async (
    version: number,
    nodes: readonly SceneNode[],
    removed: readonly NodeId[],
    previous?: Snapshot,
  ) => {
    const changed = nodes.map((one) => [one.id, serializeNode(one)] as const);
    const making = { documentId, version, changed, removed, clients, ...(previous === undefined ? {} : { previous }) };
    const snapshot = await worker.run(tenant, { kind: 'make', input: making });
    assert.ok(isRight(snapshot), JSON.stringify(snapshot));
    return snapshot.right;
  };
  const pageOf = async (comparing: DiffPageRequest): Promise<DiffPage> => {
    const page = await worker.run(tenant, { kind: 'compare', request: comparing });
    assert.ok(isRight(page), JSON.stringify(page));
    return page.right;
  };
  const versions = async () => {
    const all = numbers(1, 3_000).map((number) => node(number, 1));
    const from = await made(1, all, []);
    const later = [...numbers(1, 2_500), ...numbers(3_001, 3_100)].map((number) => node(number, 2));
    return { from, to: await made(2, later, numbers(2_901, 3_000).map(idOf), from) };
  };

  it('come in pages, each node once, with what was and what is', async () => {
    const compared = await versions();
    const found: string[] = [];
    for (let after: NodeId | undefined, turn = 0; ; turn += 1) {
      const page = await pageOf({ ...compared, limit: 1_000, ...(after === undefined ? {} : { after }) });
      assert.deepEqual(page.counts, { created: 100, deleted: 100, changed: 2_500 });
      assert.equal(page.items.length, turn < 2 ? 1_000 : 700);
      found.push(...page.items.map(({ id, kind, name }) => `${id} ${kind} ${name}`));
      if (turn === 0)
        assert.deepEqual(page.items[0], {
          kind: 'changed',
          id: idOf(1),
          type: 'rect',
          parentId: null,
          name: 'node 1',
          properties: [{ name: 'opacity', before: 1, after: 2 }],
        });
      after = page.next;
      if (after === undefined) break;
    }
    const expectedChanges = (kind: string, from: number, to: number) =>
      numbers(from, to).map((number) => `${idOf(number)} ${kind} node ${number}`);
    const all = [
      ...expectedChanges('changed', 1, 2_500),
      ...expectedChanges('deleted', 2_901, 3_000),
      ...expectedChanges('created', 3_001, 3_100),
    ];
    assert.deepEqual(
      found,
      all.toSorted((one, other) => ((one.split(' ')[0] ?? '') < (other.split(' ')[0] ?? '') ? -1 : 1)),
    );
  });

  it('are unavailable for a damaged snapshot, and available once it is readable', async () => {
    const { from, to } = await versions();
    const gone = { ...to, compressedSceneKey: `${to.compressedSceneKey}.gone` };
    const refused = await worker.run(tenant, { kind: 'compare', request: { from, to: gone, limit: 1 } });
    assert.ok(isLeft(refused) && refused.left.code === 'snapshot-damaged');
    assert.equal((await pageOf({ from, to, limit: 1 })).items.length, 1);
  });
});
