/** GET /v1/files/:fileId/chunks/:chunkId: one chunk with the places of its words, from what the log names in object storage. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Chunk, ChunkSegments } from '../../domain/files/content/chunk';
import { Modality, WordBox } from '../../domain/files/content/element';
import type { ActiveVersion } from '../../domain/files/file/state';
import { ChunkId, FileId, VersionId } from '../../domain/files/ids';
import type { ChunkPart } from '../../domain/files/ingestion/events';
import { integer, listOf, record, text } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { type Problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { blobProblems } from './blob-problems';
import { chunkPartsOf, readChunks, versionChunksOf } from './chunk-contents';
import type { ContentReading } from './content';
import { readProblems, requireReadableFile, scopes } from './file-reading';
import { Citation, citationOf } from './search/citation';

export const chunkProblems = {
  ...readProblems,
  ...blobProblems,
  'chunk-unknown': { status: 404, title: 'There is no such chunk' },
} as const;

export const chunkUnknown: Problem = problemOf(
  { kind: 'rejection', code: 'chunk-unknown', detail: 'This version of the file has no such chunk.' },
  chunkProblems,
);

const ChunkAnswer = record('FileChunk', {
  chunkId: ChunkId,
  fileId: FileId,
  versionId: VersionId,
  modality: Modality,
  content: text('FileChunkContent', { content: 'any', minLength: 0, maxLength: 4_000 }),
  citation: Citation,
  ordinal: integer(0),
  /** Of pages and pictures: where each word is, by its offset in the content. */
  words: listOf('FileChunkWords', WordBox, 4_000),
  /** Of slides, subtitles and speech: where each part of the content is. */
  segments: ChunkSegments,
});

/** Part by part: most files have one. */
const findChunk = async (
  { blobs }: Pick<ContentReading, 'blobs'>,
  {
    parts,
    chunkId,
    signal,
  }: { readonly parts: readonly ChunkPart[]; readonly chunkId: ChunkId; readonly signal: AbortSignal },
): Promise<Either<Problem, Chunk>> => {
  for (const { chunks: reference } of parts) {
    const chunks = await readChunks(blobs, reference, signal);
    if (isLeft(chunks)) return chunks;
    const chunk = chunks.right.find((one) => one.chunkId === chunkId);
    if (chunk !== undefined) return right(chunk);
  }
  return left(chunkUnknown);
};

export interface ChunkAddress extends ActiveVersion {
  readonly tenant: TenantId;
  readonly chunkId: ChunkId;
}

/** As it was stored, with its words. The caller's access is checked before. */
export const readChunk = async (
  reading: Pick<ContentReading, 'blobs' | 'source'>,
  { tenant, versionId, pipelineVersion, chunkId }: ChunkAddress,
  signal: AbortSignal,
): Promise<Either<Problem, Chunk>> => {
  const parts = await chunkPartsOf(reading, tenant, { versionId, pipelineVersion });
  return isLeft(parts) ? parts : findChunk(reading, { parts: parts.right, chunkId, signal });
};

export const getFileChunk = route<ContentReading>()({
  method: 'get',
  path: '/v1/files/:fileId/chunks/:chunkId',
  operation: 'getFileChunk',
  summary: 'Get a chunk of a file with the places of its words',
  description:
    'What a citation leads to. Of the version that answers; `versionId` names an earlier one, which was cited before.',
  access: { scopes },
  query: record('FileChunkQuery', {}, { versionId: VersionId }),
  params: record('FileChunkPath', { fileId: FileId, chunkId: ChunkId }),
  answers: { 200: { description: 'The chunk.', body: ChunkAnswer } },
  problems: chunkProblems,
  handle: async (reading, { params: { fileId, chunkId }, query, identity, signal }) => {
    const found = await requireReadableFile(reading, identity, fileId);
    if (isLeft(found)) return found.left;
    const stored = await versionChunksOf(reading, found.right, query.versionId);
    if (isLeft(stored)) return stored.left;
    if (stored.right === undefined) return chunkUnknown;
    const { versionId } = stored.right.version;
    const chunk = await findChunk(reading, { parts: stored.right.parts, chunkId, signal });
    if (isLeft(chunk)) return chunk.left;
    const { modality, content, anchor, headings, ordinal, words, segments = [] } = chunk.right;
    const body = {
      chunkId,
      fileId,
      versionId,
      modality,
      content,
      citation: citationOf(anchor, headings),
      ordinal,
      words,
      segments,
    };
    return { status: 200, body };
  },
});
