/** Documents of many nodes by number, and snapshots of them in memory. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import type { DocumentId, NodeId } from '../../../domain/editor/ids';
import { emptyScene, type SceneNode, setNode } from '../../../domain/editor/scene/scene';
import { serializeNode } from '../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { textFromPlain } from '../../../domain/editor/text/text-content';
import { damaged } from '../../../infra/server/documents/piece-blobs';
import { loadManifest, type PieceStore } from '../../../infra/server/documents/piece-store';
import { makeSnapshot } from '../../../infra/server/documents/snapshots/snapshot-writer';

export const documentId = 'd-1' as DocumentId;
export const noClients = { clients: [], recent: [] };

export const piecesInMemory = () => {
  const stored = new Map<string, string>();
  const put: PieceStore['put'] = async (text) => {
    const checksum = createHash('sha256').update(text).digest('hex');
    stored.set(checksum, text);
    return right({ key: checksum, checksum, bytes: text.length });
  };
  const pieces: PieceStore = {
    put,
    putTemporary: put,
    get: async ({ key }) => {
      const text = stored.get(key);
      return text === undefined ? damaged('gone') : right(text);
    },
    bytes: async ({ key }) => right(Buffer.from(stored.get(key) ?? '')),
  };
  return { stored, pieces };
};

export const idOf = (number: number): NodeId => `client${String(number % 7).padStart(4, '0')}:${1 + number}` as NodeId;

export const nodeAt = (number: number, revision: number): SceneNode => ({
  id: idOf(number),
  type: number % 400 === 0 ? 'text' : 'rect',
  parentId: number < 10 ? null : idOf(number % 10),
  orderKey: `a${number}`,
  properties: { 'style.fill': `#${revision}`, ...(number % 500 === 0 ? { contentRef: `asset-${number}` } : {}) },
  revision,
  ...(number % 400 === 0 ? { text: textFromPlain(`text ${revision}`) } : {}),
});

export const taken = async (pieces: PieceStore, made: ReturnType<typeof makeSnapshot>): Promise<Snapshot> => {
  const snapshot = await made;
  assert.ok(isRight(snapshot));
  const read = await loadManifest(pieces, snapshot.right);
  assert.ok(isRight(read));
  return snapshot.right;
};

/** A document of that many nodes in its base. */
export const based = async (pieces: PieceStore, count: number) => {
  const scene = emptyScene();
  let snapshot: Snapshot | undefined;
  for (let version = 1; version <= 2; version += 1) {
    const numbers = version === 1 ? Array.from({ length: count }, (_, number) => number) : [0];
    const nodes = numbers.map((number) => nodeAt(number, version));
    for (const node of nodes) setNode(scene, node.id, node);
    const changed = nodes.map((node) => [node.id, serializeNode(node)] as const);
    const before = snapshot === undefined ? {} : { previous: snapshot };
    const making = { documentId, version, changed, removed: [], clients: noClients, ...before };
    snapshot = await taken(pieces, makeSnapshot(pieces, making));
  }
  return { scene, snapshot: snapshot as Snapshot };
};
