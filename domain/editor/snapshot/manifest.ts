/**
 * What a snapshot consists of. The base is every node once, in chunks by ranges of ids; each delta tells what changed since what stands
 * before it, and counts more. Pieces are named by what is in them, so that snapshots and copies of a document share them.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, integer, record, text } from '../../kernel/codec';
import { DocumentId, NodeId } from '../ids';
import { ClientTableRecord } from '../operation-log/client-table-codec';

const key = text('PieceKey', { maxLength: 512 });

export const PieceRef = record('PieceRef', {
  key,
  /** SHA-256 of the stored bytes, in hexadecimal. */
  checksum: text('PieceChecksum', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' }),
  /** Stored. */
  bytes: integer(0),
  /** Nodes in it, those that are gone included. */
  nodes: integer(0),
  /** What its nodes refer to. */
  assets: t.array(text('AssetRef', { maxLength: 512 }), 'AssetRefs'),
});
export type PieceRef = t.TypeOf<typeof PieceRef>;

/** `first`: of its ids; every id below that of the next chunk belongs to it, and to the first chunk what is below all. */
export const Chunk = record('Chunk', { first: NodeId, piece: PieceRef });
export type Chunk = t.TypeOf<typeof Chunk>;

/** A run of ids (`../log/chosen-ids.ts`); `digest` is the SHA-256 of its text, to find the piece again without making it. */
export const IdRunRef = record('IdRunRef', { digest: t.string, piece: PieceRef });
export type IdRunRef = t.TypeOf<typeof IdRunRef>;

export const Manifest = record(
  'Manifest',
  {
    documentId: DocumentId,
    version: integer(0),
    schemaVersion: integer(1),
    base: t.array(Chunk, 'Base'),
    /** The oldest first. */
    deltas: t.array(PieceRef, 'Deltas'),
    /** A piece of its own: the table of clients, which nobody but an owner reads. */
    clients: PieceRef,
  },
  {
    /** Of that table, too: what does not change any more. The oldest first; left out, there is none. */
    idRuns: t.array(IdRunRef, 'IdRuns'),
  },
);
export type Manifest = t.TypeOf<typeof Manifest>;

const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

export const serializeManifest = (manifest: Manifest): string => JSON.stringify(manifest);

export const parseManifest = (content: string): Either<string, Manifest> => {
  const manifest = decode(Manifest, parseJson(content));
  return isLeft(manifest) ? left('The manifest has not the expected form.') : manifest;
};

export const parseClientTable = (content: string): Either<string, ClientTableRecord> => {
  const clients = decode(ClientTableRecord, parseJson(content));
  return isLeft(clients) ? left('The table of clients has not the expected form.') : right(clients.right);
};

/** The newest first: whatever node a piece tells of, later ones tell nothing new about. */
export const piecesNewestFirst = ({ base, deltas }: Pick<Manifest, 'base' | 'deltas'>): readonly PieceRef[] => [
  ...deltas.toReversed(),
  ...base.map(({ piece }) => piece),
];
