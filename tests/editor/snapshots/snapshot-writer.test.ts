import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { NodeId } from '../../../domain/editor/ids';
import { canonicalScene } from '../../../domain/editor/scene/canonical-scene';
import { emptyScene, getNode, setNode } from '../../../domain/editor/scene/scene';
import { chunkNodes, rewriteChunk, splitDelta } from '../../../domain/editor/snapshot/compaction';
import { piecesNewestFirst } from '../../../domain/editor/snapshot/manifest';
import { serializeNode } from '../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { emptySnapshot } from '../../../infra/server/documents/empty-snapshot';
import { loadManifest, openPieceStore } from '../../../infra/server/documents/piece-store';
import { loadSnapshot } from '../../../infra/server/documents/snapshots/snapshot-reader';
import { makeSnapshot } from '../../../infra/server/documents/snapshots/snapshot-writer';
import { memoryPieceBlobs } from './memory-storage';
import { based, documentId, idOf, noClients, nodeAt, piecesInMemory, taken } from './numbered-documents';
import { tenant } from './small-chunks';

describe('snapshots of a document', () => {
  it('restore the scene after any changes, through all kinds of layers', async () => {
    const { pieces } = piecesInMemory();
    const scene = emptyScene();
    let snapshot: Snapshot | undefined;
    const ways = new Set<string>();
    for (let version = 1; version <= 24; version += 1) {
      const touched = new Set<NodeId>();
      const size = version % 4 === 0 ? 1_800 : 1 + (version % 5);
      for (let count = 0; count < size; count += 1) {
        const number = 10 + Math.floor(Math.random() * 2_400);
        const gone = Math.random() < 0.2 && number > 20;
        setNode(scene, idOf(number), gone ? undefined : nodeAt(number, version));
        touched.add(idOf(number));
      }
      const nodes = [...touched].flatMap((id) => getNode(scene, id) ?? []);
      const removed = [...touched].filter((id) => getNode(scene, id) === undefined);
      const changed = nodes.map((node) => [node.id, serializeNode(node)] as const);
      const before = snapshot === undefined ? {} : { previous: snapshot };
      const making = { documentId, version, changed, removed, clients: noClients, ...before };
      snapshot = await taken(pieces, makeSnapshot(pieces, making));
      const manifest = await loadManifest(pieces, snapshot);
      assert.ok(isRight(manifest));
      const { base, deltas } = manifest.right;
      ways.add(`${base.length > 0 ? 'base' : 'no base'}, ${deltas.length > 0 ? 'deltas' : 'no deltas'}`);
      assert.ok(deltas.length <= 9);
      assert.ok(base.every(({ piece }) => piece.nodes < 2 * chunkNodes));
      if (version % 3 === 1) continue;
      const again = emptyScene();
      assert.ok(isRight(await loadSnapshot(pieces, snapshot, again)));
      assert.ok([...canonicalScene(again)].join('\n') === [...canonicalScene(scene)].join('\n'), `version ${version}`);
    }
    assert.deepEqual([...ways].sort(), ['base, deltas', 'base, no deltas', 'no base, deltas']);
  });

  it('are the same for a new document as for an empty one', async () => {
    const stored = memoryPieceBlobs();
    const pieces = openPieceStore(stored, tenant);
    const made = await taken(
      pieces,
      makeSnapshot(pieces, { documentId, version: 0, changed: [], removed: [], clients: noClients }),
    );
    const { snapshot, pieces: sources } = await emptySnapshot({ tenant, documentId });
    assert.deepEqual(snapshot, made);
    const manifest = stored.blobs.get(made.compressedSceneKey);
    assert.deepEqual(sources, [
      { key: made.compressedSceneKey, base64: Buffer.from(manifest ?? []).toString('base64') },
    ]);
  });

  it('store a run of ids once, and restore all of them', async () => {
    const { pieces, stored } = piecesInMemory();
    const run = (from: number) => {
      const ids = Uint32Array.from({ length: 4_096 }, (_, index) => from + index);
      return { high: ids, low: ids, actors: ids };
    };
    const making = { documentId, changed: [], removed: [] };
    const idRuns = [run(1), run(5_000)];
    const clients = { ...noClients, idRuns: idRuns.slice(0, 1) };
    const previous = await taken(pieces, makeSnapshot(pieces, { ...making, version: 1, clients }));
    const known = new Set(stored.keys());
    const more = { ...making, version: 2, previous, clients: { ...noClients, idRuns } };
    const snapshot = await taken(pieces, makeSnapshot(pieces, more));
    assert.equal([...stored.keys()].filter((key) => !known.has(key)).length, 2, 'the second run and a manifest');
    const loaded = await loadSnapshot(pieces, snapshot, emptyScene());
    assert.ok(isRight(loaded));
    assert.deepEqual(loaded.right.idRuns, idRuns);
  });

  it('write small changes only, and reuse unchanged chunks', async () => {
    const { pieces, stored } = piecesInMemory();
    const { snapshot } = await based(pieces, 8_000);
    const known = new Set(stored.keys());
    const node = nodeAt(7, 3);
    const changed = [[node.id, serializeNode(node)]] as const;
    const small = { documentId, version: 3, removed: [], clients: noClients, previous: snapshot };
    await taken(pieces, makeSnapshot(pieces, { ...small, changed }));
    const written = [...stored].filter(([key]) => !known.has(key)).map(([, text]) => text.length);
    assert.equal(written.length, 2, 'a delta and a manifest; the clients are the same');
    assert.ok(written.reduce((sum, length) => sum + length, 0) < 20_000);
  });

  it('have small pieces, however much changed at once', async () => {
    const { pieces } = piecesInMemory();
    let snapshot: Snapshot | undefined;
    for (const [index, size] of [3_900, 12_000, 2_500, 2_500, 2_500].entries()) {
      const numbers = Array.from({ length: size }, (_, number) => 10 + number + index * 100);
      const changed = numbers.map((number) => [idOf(number), serializeNode(nodeAt(number, index + 1))] as const);
      const before = snapshot === undefined ? {} : { previous: snapshot };
      const making = { documentId, version: index + 1, changed, removed: [], clients: noClients, ...before };
      snapshot = await taken(pieces, makeSnapshot(pieces, making));
      const manifest = await loadManifest(pieces, snapshot);
      assert.ok(isRight(manifest));
      assert.ok(piecesNewestFirst(manifest.right).every(({ nodes }) => nodes <= 2 * chunkNodes));
    }
  });

  it('have readable pieces, however large each node is', () => {
    const weight = 6 * 1024 * 1024;
    const heavy = Array.from({ length: 9 }, (_, number) => [idOf(number), 'x'.repeat(weight)] as const);
    for (const parts of [splitDelta(heavy), rewriteChunk(heavy.slice(0, 4), new Map(heavy.slice(4)))]) {
      assert.deepEqual(
        parts
          .flat()
          .map(([id]) => id)
          .sort(),
        heavy.map(([id]) => id).sort(),
      );
      assert.ok(parts.every((part) => part.length <= 2));
    }
    assert.deepEqual(splitDelta([[idOf(1), 'x'.repeat(4 * weight)]]).length, 1);
    assert.deepEqual([splitDelta([]), rewriteChunk([], new Map())], [[], []]);
  });

  it('name the assets of their nodes', async () => {
    const { pieces } = piecesInMemory();
    const { snapshot } = await based(pieces, 1_600);
    assert.deepEqual([...snapshot.assetRefs].sort(), ['asset-0', 'asset-1000', 'asset-1500', 'asset-500']);
  });

  it('are complete or refused: a missing or damaged piece loads no scene', async () => {
    const { pieces, stored } = piecesInMemory();
    const { snapshot } = await based(pieces, 4_200);
    for (const [key, text] of [...stored]) {
      stored.set(key, text.slice(0, -3));
      const loaded = await loadSnapshot(pieces, snapshot, emptyScene());
      const needed = JSON.stringify(loaded).includes('snapshot-damaged');
      stored.delete(key);
      const missing = await loadSnapshot(pieces, snapshot, emptyScene());
      assert.equal(isLeft(missing), needed, key);
      stored.set(key, text);
    }
    assert.ok(isRight(await loadSnapshot(pieces, snapshot, emptyScene())));
  });
});
