/** GET /v1/files/:fileId/chunks: what was extracted of a file, in its order: viewers of formats that no browser draws show it around a citation. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Chunk, ChunkSegments } from '../../domain/files/content/chunk';
import { Modality } from '../../domain/files/content/element';
import { ChunkId, VersionId } from '../../domain/files/ids';
import type { ChunkPart } from '../../domain/files/ingestion/events';
import { integer, nullable, record, text } from '../../domain/kernel/codec';
import type { BlobStore } from '../../infra/ports/blob-store';
import { invalidInput, type Problem, problemOf } from '../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { defaultLimit, pageQuery, refuseCursor } from '../kernel/pagination';
import { chunkProblems, chunkUnknown } from './chunk';
import { readChunks, versionChunksOf } from './chunk-contents';
import type { ContentReading } from './content';
import { FilePath, requireReadableFile, scopes } from './file-reading';
import { type Authorized, authorizeChunks } from './search/authorize-chunks';
import { Citation, citationOf } from './search/citation';

/** Without the places of words, which `getFileChunk` has. */
const ListedChunk = record('ListedFileChunk', {
  chunkId: ChunkId,
  ordinal: integer(0),
  modality: Modality,
  content: text('ListedChunkContent', { content: 'any', minLength: 0, maxLength: 4_000 }),
  citation: Citation,
  segments: ChunkSegments,
});

const ChunkPage = record('ListFileChunksPage', {
  items: t.readonlyArray(ListedChunk, 'ListedFileChunks'),
  next_cursor: nullable(text('NextChunksCursor', { maxLength: 2_048 })),
  /** Whose passages they are; null until a version answers. */
  versionId: nullable(VersionId),
  /** Of all pages. */
  total: integer(0),
});

const ListFileChunksQuery = pageQuery('ListFileChunksQuery', { around: ChunkId, versionId: VersionId });
type ListFileChunksQuery = t.TypeOf<typeof ListFileChunksQuery>;

/** Ordinals count through the parts, in their order. */
const totalOf = (parts: readonly ChunkPart[]): number => parts.reduce((total, { count }) => total + count, 0);

interface Span {
  readonly from: number;
  readonly limit: number;
}

/** Reads the parts that have some of the wanted chunks, and no other. */
const chunksIn = async (
  blobs: Pick<BlobStore, 'get'>,
  parts: readonly ChunkPart[],
  { from, limit, signal }: Span & { readonly signal: AbortSignal },
): Promise<Either<Problem, readonly Chunk[]>> => {
  const wanted: Chunk[] = [];
  let first = 0;
  for (const { chunks: reference, count } of parts) {
    const isWanted = first < from + limit && first + count > from;
    if (isWanted) {
      const chunks = await readChunks(blobs, reference, signal);
      if (isLeft(chunks)) return chunks;
      wanted.push(...chunks.right.slice(Math.max(0, from - first), Math.max(0, from + limit - first)));
    }
    first += count;
  }
  return right(wanted);
};

/** Where the page with the chunk in its middle begins. */
const beginAround = async (
  blobs: Pick<BlobStore, 'get'>,
  parts: readonly ChunkPart[],
  { around, limit, signal }: { readonly around: ChunkId; readonly limit: number; readonly signal: AbortSignal },
): Promise<Either<Problem, number>> => {
  let first = 0;
  for (const { chunks: reference, count } of parts) {
    const chunks = await readChunks(blobs, reference, signal);
    if (isLeft(chunks)) return chunks;
    const at = chunks.right.findIndex(({ chunkId }) => chunkId === around);
    if (at >= 0) return right(Math.max(0, first + at - Math.floor((limit - 1) / 2)));
    first += count;
  }
  return left(chunkUnknown);
};

const listedOf = ({
  chunkId,
  ordinal,
  modality,
  content,
  anchor,
  headings,
  segments = [],
}: Authorized<Chunk & Origin>) => ({
  chunkId,
  ordinal,
  modality,
  content,
  citation: citationOf(anchor, headings),
  segments,
});

type Origin = Parameters<typeof authorizeChunks>[2][number];

const conflicts = ({ around, cursor }: ListFileChunksQuery): Problem | undefined =>
  around !== undefined && cursor !== undefined
    ? invalidInput([{ pointer: '/query/around', expected: 'omitted, with cursor' }])
    : undefined;

const list = async (
  reading: ContentReading,
  request: RouteRequest<t.TypeOf<typeof FilePath>, ListFileChunksQuery, unknown>,
): Promise<Answer> => {
  const { params, query, identity, signal } = request;
  const refused = conflicts(query);
  if (refused !== undefined) return refused;
  const { fileId } = params;
  const { around, limit = defaultLimit, cursor } = query;
  const found = await requireReadableFile(reading, identity, fileId);
  if (isLeft(found)) return found.left;
  const { tenant } = found.right;
  const stored = await versionChunksOf(reading, found.right, query.versionId);
  if (isLeft(stored)) return stored.left;
  if (stored.right === undefined && (around !== undefined || query.versionId !== undefined)) return chunkUnknown;
  if (stored.right === undefined)
    return { status: 200, body: { items: [], next_cursor: null, versionId: null, total: 0 } };
  const { parts } = stored.right;
  const { versionId, pipelineVersion } = stored.right.version;
  const scope = [tenant, 'listFileChunks', fileId, versionId, pipelineVersion];
  const after = cursor === undefined ? right([0]) : reading.cursors.read(scope, cursor);
  if (isLeft(after)) return refuseCursor(after.left);
  const { blobs, source } = reading;
  const begin =
    around === undefined ? right(Number(after.right[0])) : await beginAround(blobs, parts, { around, limit, signal });
  if (isLeft(begin)) return begin.left;
  const from = begin.right;
  const chunks = await chunksIn(blobs, parts, { from, limit, signal });
  if (isLeft(chunks)) return chunks.left;
  // Contents take time to read: what was revoked or replaced meanwhile is not answered with.
  const origin = { tenantId: tenant, fileId, versionId, pipelineVersion };
  const { principalId } = identity;
  const authorized = await authorizeChunks(
    source,
    { tenant, principalId },
    chunks.right.map((chunk) => ({ ...chunk, ...origin })),
    query.versionId === undefined ? 'active' : 'any',
  );
  if (isLeft(authorized)) return problemOf(authorized.left, {});
  if (authorized.right.length < chunks.right.length) {
    const again = await requireReadableFile(reading, identity, fileId);
    return isLeft(again) ? again.left : chunkUnknown;
  }
  const total = totalOf(parts);
  const next = from + limit;
  const next_cursor = next < total ? reading.cursors.write(scope, [next]) : null;
  return { status: 200, body: { items: authorized.right.map(listedOf), next_cursor, versionId, total } };
};

export const listFileChunks = route<ContentReading>()({
  method: 'get',
  path: '/v1/files/:fileId/chunks',
  operation: 'listFileChunks',
  summary: 'List the passages of a file, in its order',
  description:
    'Of the version that answers; `versionId` names an earlier one, which was cited before. `around` names a chunk: the page has it in its middle. Cursors are of the version that they began with.',
  access: { scopes },
  params: FilePath,
  query: ListFileChunksQuery,
  answers: { 200: { description: 'A page; `next_cursor` is null on the last.', body: ChunkPage } },
  problems: chunkProblems,
  handle: list,
});
