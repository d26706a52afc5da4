/** A snapshot of chunks far smaller than those in use. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import type { SceneNode } from '../../../domain/editor/scene/scene';
import { currentSchemaVersion } from '../../../domain/editor/schema-versions';
import { serializeManifest } from '../../../domain/editor/snapshot/manifest';
import { serializeNode, serializePiece } from '../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../domain/kernel/ids';
import type { PieceStore } from '../../../infra/server/documents/piece-store';

export const tenant = 'acme' as TenantId;
export const clients = { clients: [], recent: [] };

const chunkSize = 3;

const stored = async (pieces: PieceStore, text: string, nodes = 0) => {
  const put = await pieces.put(text);
  assert.ok(isRight(put));
  return { ...put.right, nodes, assets: [] };
};

interface Basing {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly nodes: readonly SceneNode[];
}

export const storeSnapshot = async (pieces: PieceStore, { documentId, version, nodes }: Basing): Promise<Snapshot> => {
  const sorted = nodes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const base = [];
  for (let start = 0; start < sorted.length; start += chunkSize) {
    const its = sorted.slice(start, start + chunkSize);
    const piece = await stored(pieces, serializePiece(its.map(serializeNode), []), its.length);
    base.push({ first: (its[0] as SceneNode).id, piece });
  }
  const about = { documentId, version, schemaVersion: currentSchemaVersion };
  const table = await stored(pieces, JSON.stringify(clients));
  const manifest = await stored(pieces, serializeManifest({ ...about, base, deltas: [], clients: table }));
  return { ...about, compressedSceneKey: manifest.key, checksum: manifest.checksum, assetRefs: [] };
};
