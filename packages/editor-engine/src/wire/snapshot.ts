/** Snapshots as they come: a manifest and its pieces, each fetched or told, checked against its checksum, and put into a scene. */
import { isLeft } from 'fp-ts/Either';
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import type { Scene } from '../../../../domain/editor/scene/scene';
import { type Filling, fill, filling } from '../../../../domain/editor/snapshot/fill';
import { type Manifest, type PieceRef, piecesOf, readManifest } from '../../../../domain/editor/snapshot/manifest';
import { readPiece } from '../../../../domain/editor/snapshot/piece';
import { bytesOf } from '../../../../domain/editor/text/base64';
import type { LoadSnapshot } from '../ports/snapshots';
import type { Transport } from '../ports/transport';
import { sha256 } from './checksum';

type SentSnapshot = FromServer<'snapshot'>;

interface Loading {
  readonly message: SentSnapshot;
  readonly fetch: Transport['fetch'];
  readonly signal: AbortSignal;
}

const damaged = (key: string, fault: string): Error => new Error(`Of the snapshot, ${key} cannot be used: ${fault}`);

const stored = async ({ message, fetch, signal }: Loading, key: string): Promise<Uint8Array> => {
  const piece = message.pieces?.find((one) => one.key === key);
  const told = piece?.base64 === undefined ? undefined : bytesOf(piece.base64);
  if (told !== undefined) return told;
  if (piece?.url === undefined) throw damaged(key, 'it was not told where it is.');
  return fetch(piece.url, signal);
};

const inflated = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unzipped as ReadableStream<Uint8Array<ArrayBuffer>>).text();
};

const textOf = async (loading: Loading, { key, checksum }: Pick<PieceRef, 'key' | 'checksum'>): Promise<string> => {
  const bytes = Uint8Array.from(await stored(loading, key));
  if ((await sha256(bytes)) !== checksum) throw damaged(key, 'its checksum is another one.');
  return inflated(bytes);
};

const manifestOf = async (loading: Loading): Promise<Manifest> => {
  const { compressedSceneKey: key, checksum, version, documentId } = loading.message.snapshot;
  const manifest = readManifest(await textOf(loading, { key, checksum }));
  if (isLeft(manifest)) throw damaged(key, manifest.left);
  // Of a copy the pieces are shared, and the manifest is its own.
  if (manifest.right.version !== version || manifest.right.documentId !== documentId)
    throw damaged(key, 'it is of something else.');
  return manifest.right;
};

const put = (into: Filling, [{ key }, text]: readonly [PieceRef, string]): void => {
  const piece = readPiece(text);
  if (isLeft(piece)) throw damaged(key, piece.left);
  fill(into, piece.right);
};

/** So many are under way at a time. */
const ahead = 4;

export const snapshotLoader =
  (fetch: Transport['fetch']): LoadSnapshot =>
  async (message, into: Scene, signal) => {
    const loading: Loading = { message, fetch, signal };
    const pieces = piecesOf(await manifestOf(loading));
    const target = filling(into);
    const coming: Promise<string>[] = [];
    for (const [index, piece] of pieces.entries()) {
      for (const next of pieces.slice(coming.length, index + ahead)) {
        const text = textOf(loading, next);
        // It is waited for in its turn; until then nobody must take it for lost.
        text.catch(() => undefined);
        coming.push(text);
      }
      put(target, [piece, (await coming[index]) ?? '']);
      signal.throwIfAborted();
    }
  };
