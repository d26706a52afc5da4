/** GET /v1/files/:fileId/chunks/:chunkId: one chunk with the places of its words, from what the log names in object storage. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { type Chunk, ChunkList } from '../../domain/files/content/chunk';
import { Modality, WordBox } from '../../domain/files/content/element';
import { ChunkId, FileId, VersionId } from '../../domain/files/ids';
import { ingestionIdOf, ingestionStream, ingestions } from '../../domain/files/ingestion/events';
import { evolve, noIngestion } from '../../domain/files/ingestion/state';
import { decodeStored, integer, listOf, record, text } from '../../domain/kernel/codec';
import type { BlobStore } from '../../infra/ports/blob-store';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import { type Problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { blobProblems } from './blob-problems';
import type { ContentReading } from './content';
import { readProblems, requireReadableFile, scopes } from './file-reading';
import { Citation, citationOf } from './search/citation';

const chunkProblems = {
  ...readProblems,
  ...blobProblems,
  'chunk-unknown': { status: 404, title: 'There is no such chunk' },
} as const;

const unknown: Problem = problemOf(
  { kind: 'rejection', code: 'chunk-unknown', detail: 'The version of the file that answers has no such chunk.' },
  chunkProblems,
);
const damaged: Problem = problemOf(
  { kind: 'fault', code: 'blob-damaged', detail: 'The chunks of the file are not what was stored.' },
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
});

type Reference = Parameters<typeof readList>[1];

const readList = async (
  blobs: Pick<BlobStore, 'get'>,
  { key, sha256 }: { readonly key: string; readonly sha256: string },
  signal: AbortSignal,
): Promise<Either<Problem, t.TypeOf<typeof ChunkList>>> => {
  const stored = await blobs.get({ key, signal });
  if (isLeft(stored)) return left(problemOf(stored.left, blobProblems));
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of stored.right.body as AsyncIterable<Uint8Array>) pieces.push(piece);
  } catch {
    return left(damaged);
  }
  const bytes = Buffer.concat(pieces);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) return left(damaged);
  const list = decodeStored(ChunkList, parsed(bytes));
  return isLeft(list) ? left(damaged) : list;
};

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Part by part: most files have one. */
const findChunk = async (
  { blobs }: Pick<ContentReading, 'blobs'>,
  {
    lists,
    chunkId,
    signal,
  }: { readonly lists: readonly Reference[]; readonly chunkId: ChunkId; readonly signal: AbortSignal },
): Promise<Either<Problem, Chunk>> => {
  for (const reference of lists) {
    const list = await readList(blobs, reference, signal);
    if (isLeft(list)) return list;
    const chunk = list.right.chunks.find((one) => one.chunkId === chunkId);
    if (chunk !== undefined) return right(chunk);
  }
  return left(unknown);
};

const rules = { family: ingestions, initial: noIngestion, evolve };

export const getFileChunk = route<ContentReading>()({
  method: 'get',
  path: '/v1/files/:fileId/chunks/:chunkId',
  operation: 'getFileChunk',
  summary: 'Get a chunk of a file with the places of its words',
  description: 'Of the version that answers: what a citation leads to.',
  access: { scopes },
  params: record('FileChunkPath', { fileId: FileId, chunkId: ChunkId }),
  answers: { 200: { description: 'The chunk.', body: ChunkAnswer } },
  problems: chunkProblems,
  handle: async (reading, { params: { fileId, chunkId }, identity, signal }) => {
    const found = await requireReadableFile(reading, identity, fileId);
    if (isLeft(found)) return found.left;
    const { file, tenant } = found.right;
    if (file.active === undefined) return unknown;
    const { versionId, pipelineVersion } = file.active;
    const stream = ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion));
    const loaded = await loadAggregate(reading.source, rules, stream);
    if (isLeft(loaded)) return problemOf(loaded.left, {});
    const { state } = loaded.right;
    const lists = state.kind === 'none' ? [] : state.parts.map(({ chunks }) => chunks);
    const chunk = await findChunk(reading, { lists, chunkId, signal });
    if (isLeft(chunk)) return chunk.left;
    const { modality, content, anchor, headings, ordinal, words } = chunk.right;
    const body = {
      chunkId,
      fileId,
      versionId,
      modality,
      content,
      citation: citationOf(anchor, headings),
      ordinal,
      words,
    };
    return { status: 200, body };
  },
});
