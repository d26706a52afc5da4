/**
 * Manifest of a snapshot. The base contains every node once, in chunks by id range; each delta contains changes since
 * the layers before it and overrides them. Pieces are named by their content, so snapshots and copies share them.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, integer, record, text } from '../../kernel/codec';
import { DocumentId, NodeId } from '../ids';
import { ClientTableRecord } from '../operation-log/client-table-codec';

const key = text('PieceKey', { examples: ['documents/main/9b2e/piece'], maxLength: 512 });

export const PieceRef = record('PieceRef', {
  key,
  /** SHA-256 of the stored bytes in hexadecimal. */
  checksum: text('PieceChecksum', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' }),
  /** Stored size. */
  bytes: integer(0),
  /** Nodes in the piece, including deleted ones. */
  nodes: integer(0),
  /** Assets that its nodes reference. */
  assets: t.array(text('AssetRef', { examples: ['images/logo.png'], maxLength: 512 }), 'AssetRefs'),
});
export type PieceRef = t.TypeOf<typeof PieceRef>;

/** `first` is the lowest id. A chunk covers ids below the next chunk's; the first chunk also covers lower ones. */
export const Chunk = record('Chunk', { first: NodeId, piece: PieceRef });
export type Chunk = t.TypeOf<typeof Chunk>;

/** A run of ids (`../operation-log/custom-ids.ts`). `digest` is the SHA-256 of its text, to reuse the piece. */
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
    /** A separate piece with the client table, read only by owners. */
    clients: PieceRef,
  },
  {
    /** Immutable parts of the client table, the oldest first; omitted if there are none. */
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
  const manifest = decodeStored(Manifest, parseJson(content));
  return isLeft(manifest) ? left('The manifest does not have the expected form.') : manifest;
};

export const parseClientTable = (content: string): Either<string, ClientTableRecord> => {
  const clients = decodeStored(ClientTableRecord, parseJson(content));
  return isLeft(clients) ? left('The table of clients does not have the expected form.') : right(clients.right);
};

/** The newest first: a node in one piece overrides later ones. */
export const piecesNewestFirst = ({ base, deltas }: Pick<Manifest, 'base' | 'deltas'>): readonly PieceRef[] => [
  ...deltas.toReversed(),
  ...base.map(({ piece }) => piece),
];
