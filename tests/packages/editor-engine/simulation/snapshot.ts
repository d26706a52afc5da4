/** A scene as a snapshot message. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { DocumentId } from '../../../../domain/editor/ids';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import { iterateNodes, type Scene } from '../../../../domain/editor/scene/scene';
import { type PieceRef, serializeManifest } from '../../../../domain/editor/snapshot/manifest';
import { serializeNode, serializePiece } from '../../../../domain/editor/snapshot/piece';

const stored = (text: string): { readonly bytes: Buffer; readonly ref: PieceRef } => {
  const bytes = gzipSync(text);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return { bytes, ref: { key: `editor/t/${checksum}.json.gz`, checksum, bytes: bytes.length, nodes: 0, assets: [] } };
};

interface SnapshotSource {
  readonly documentId: DocumentId;
  readonly scene: Scene;
  readonly version: number;
}

/** As it is at present, in two pieces. */
export const snapshotOf = ({ documentId, scene, version }: SnapshotSource): ServerMessage<'snapshot'> => {
  const nodes = [...iterateNodes(scene)].sort((one, other) => (one.id < other.id ? -1 : 1));
  const half = Math.ceil(nodes.length / 2);
  const parts = [nodes.slice(0, half), nodes.slice(half)].filter(({ length }) => length > 0);
  const pieces = parts.map((part) => ({ first: part[0]!.id, ...stored(serializePiece(part.map(serializeNode), [])) }));
  const manifest = stored(
    serializeManifest({
      documentId,
      version,
      schemaVersion: 1,
      deltas: [],
      base: pieces.map(({ first, ref }) => ({ first, piece: ref })),
      clients: stored('{}').ref,
    }),
  );
  const { key: compressedSceneKey, checksum } = manifest.ref;
  return {
    type: 'snapshot',
    snapshot: { documentId, version, schemaVersion: 1, compressedSceneKey, checksum, assetRefs: [] },
    operationTail: [],
    pieces: [manifest, ...pieces].map(({ bytes, ref }) => ({ key: ref.key, base64: bytes.toString('base64') })),
  };
};
