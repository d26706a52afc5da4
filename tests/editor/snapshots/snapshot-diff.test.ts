/** What is kept of comparisons, and what is read again. */
import assert from 'node:assert/strict';
import { isLeft, isRight, left } from 'fp-ts/Either';
import type { DocumentId, NodeId } from '../../../domain/editor/ids';
import type { SceneNode } from '../../../domain/editor/scene/scene';
import { fault } from '../../../domain/kernel/rejection';
import { openPieceStore, type PieceStore } from '../../../infra/server/documents/piece-store';
import {
  type DiffIndexCache,
  type DiffPageRequest,
  readDiffPage,
} from '../../../infra/server/documents/snapshots/diff-pages';
import { memoryPieceBlobs } from './memory-storage';
import { storeSnapshot, tenant } from './small-chunks';

const documentId = 'd-1' as DocumentId;
const idOf = (number: number): NodeId => `client0000:${number}` as NodeId;
const nodesAt = (version: number): readonly SceneNode[] =>
  Array.from({ length: 30 }, (_, index) => ({
    id: idOf(10 + index),
    type: 'rect',
    parentId: null,
    orderKey: 'a',
    properties: { opacity: version },
    revision: version,
  }));

const open = () => {
  const pieces = openPieceStore(memoryPieceBlobs(), tenant);
  const seen = { reads: 0, isAway: false };
  const watched: PieceStore = {
    ...pieces,
    get: (piece) => {
      seen.reads += 1;
      return seen.isAway ? Promise.resolve(left(fault('snapshots-unavailable', 'Away.'))) : pieces.get(piece);
    },
  };
  const outlines: DiffIndexCache = new Map();
  const at = (version: number) => storeSnapshot(pieces, { documentId, version, nodes: nodesAt(version) });
  const page = (comparing: DiffPageRequest) => readDiffPage(watched, comparing, outlines);
  return { seen, outlines, at, page };
};

describe('comparisons of snapshots', () => {
  it('read only the pieces that a further page needs', async () => {
    const { seen, at, page } = open();
    const request = { from: await at(1), to: await at(2), limit: 3 };
    const first = await page(request);
    assert.ok(isRight(first) && first.right.next !== undefined);
    assert.equal(seen.reads, 22, 'two manifests, and ten chunks of each');
    seen.reads = 0;
    const second = await page({ ...request, after: first.right.next });
    assert.ok(isRight(second));
    assert.deepEqual(
      second.right.items.map(({ id }) => id),
      [idOf(13), idOf(14), idOf(15)],
    );
    assert.equal(seen.reads, 2, 'a chunk of each');
  });

  it('are computed once for concurrent requests', async () => {
    const { seen, at, page } = open();
    const request = { from: await at(1), to: await at(2), limit: 3 };
    await Promise.all([page(request), page(request), page(request)]);
    assert.equal(seen.reads, 22 + 2 * 2);
  });

  it('that failed are computed again', async () => {
    const { seen, outlines, at, page } = open();
    const request = { from: await at(1), to: await at(2), limit: 3 };
    seen.isAway = true;
    assert.ok(isLeft(await page(request)));
    assert.equal(outlines.size, 0);
    seen.isAway = false;
    assert.ok(isRight(await page(request)));
  });

  it('are cached, the most recently used ones', async () => {
    const { seen, outlines, at, page } = open();
    const from = await at(1);
    for (let version = 2; version < 22; version += 1) await page({ from, to: await at(version), limit: 1 });
    assert.equal(outlines.size, 16);
    const readsFor = async (version: number): Promise<number> => {
      const before = seen.reads;
      await page({ from, to: await at(version), limit: 1 });
      return seen.reads - before;
    };
    assert.deepEqual([await readsFor(21), await readsFor(2)], [2, 22], 'kept, and forgotten');
  });
});
