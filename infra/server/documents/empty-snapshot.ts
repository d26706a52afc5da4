/** The snapshot of a document that has none yet: version 0, without nodes. Computed for each caller, stored nowhere. */

import type { DocumentKey } from '../../../domain/editor/ids';
import { currentSchemaVersion } from '../../../domain/editor/schema-versions';
import { serializeManifest } from '../../../domain/editor/snapshot/manifest';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { packPiece } from './piece-store';
import type { PieceSource } from './piece-urls';

export interface EmptySnapshot {
  readonly snapshot: Snapshot;
  readonly pieces: readonly PieceSource[];
}

export const emptySnapshot = async ({ tenant, documentId }: DocumentKey): Promise<EmptySnapshot> => {
  const table = await packPiece(tenant, JSON.stringify({ clients: [], recent: [] }));
  const clients = { key: table.key, checksum: table.checksum, bytes: table.bytes.length, nodes: 0, assets: [] };
  const about = { documentId, version: 0, schemaVersion: currentSchemaVersion };
  const manifest = serializeManifest({ ...about, base: [], deltas: [], clients, idRuns: [] });
  const { key, checksum, bytes } = await packPiece(tenant, manifest);
  return {
    snapshot: { ...about, compressedSceneKey: key, checksum, assetRefs: [] },
    pieces: [{ key, base64: Buffer.from(bytes).toString('base64') }],
  };
};
