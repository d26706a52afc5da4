/** Loads a snapshot: fetches the manifest and its pieces, verifies their checksums, and fills a scene. */
import { isLeft } from 'fp-ts/Either';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { Scene } from '../../../../domain/editor/scene/scene';
import {
  type Manifest,
  type PieceRef,
  parseManifest,
  piecesNewestFirst,
} from '../../../../domain/editor/snapshot/manifest';
import { addPiece, parsePiece, type SceneFill, startFill } from '../../../../domain/editor/snapshot/piece';
import { decodeBase64 } from '../../../../domain/editor/text/base64';
import type { LoadSnapshot, Transport } from '../ports/transport';
import { sha256 } from './sha256';

type SentSnapshot = ServerMessage<'snapshot'>;

interface SnapshotDownload {
  readonly message: SentSnapshot;
  readonly fetch: Transport['fetch'];
  readonly signal: AbortSignal;
}

const damaged = (key: string, fault: string): Error => new Error(`Of the snapshot, ${key} cannot be used: ${fault}`);

const fetchPiece = async ({ message, fetch, signal }: SnapshotDownload, key: string): Promise<Uint8Array> => {
  const piece = message.pieces?.find((one) => one.key === key);
  const inline = piece?.base64 === undefined ? undefined : decodeBase64(piece.base64);
  if (inline !== undefined) return inline;
  if (piece?.url === undefined) throw damaged(key, 'the message has no URL for it.');
  return fetch(piece.url, signal);
};

const inflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unzipped as ReadableStream<Uint8Array<ArrayBuffer>>).text();
};

const verifiedText = async (
  loading: SnapshotDownload,
  { key, checksum }: Pick<PieceRef, 'key' | 'checksum'>,
): Promise<string> => {
  const bytes = Uint8Array.from(await fetchPiece(loading, key));
  if ((await sha256(bytes)) !== checksum) throw damaged(key, 'its checksum is another one.');
  return inflate(bytes);
};

const fetchManifest = async (loading: SnapshotDownload): Promise<Manifest> => {
  const { compressedSceneKey: key, checksum, version, documentId } = loading.message.snapshot;
  const manifest = parseManifest(await verifiedText(loading, { key, checksum }));
  if (isLeft(manifest)) throw damaged(key, manifest.left);
  // Documents share pieces, not manifests.
  if (manifest.right.version !== version || manifest.right.documentId !== documentId)
    throw damaged(key, 'it is of something else.');
  return manifest.right;
};

const addPieceText = (into: SceneFill, { key }: PieceRef, text: string): void => {
  const piece = parsePiece(text);
  if (isLeft(piece)) throw damaged(key, piece.left);
  addPiece(into, piece.right);
};

/** Downloads in parallel. */
const maxParallelDownloads = 4;

export const snapshotLoader =
  (fetch: Transport['fetch']): LoadSnapshot =>
  async (message, into: Scene, signal) => {
    const loading: SnapshotDownload = { message, fetch, signal };
    const pieces = piecesNewestFirst(await fetchManifest(loading));
    const target = startFill(into);
    const downloads: Promise<string>[] = [];
    for (const [index, piece] of pieces.entries()) {
      for (const next of pieces.slice(downloads.length, index + maxParallelDownloads)) {
        const text = verifiedText(loading, next);
        // Handled when it is awaited; this avoids an unhandled rejection before.
        text.catch(() => undefined);
        downloads.push(text);
      }
      addPieceText(target, piece, (await downloads[index]) ?? '');
      signal.throwIfAborted();
    }
  };
