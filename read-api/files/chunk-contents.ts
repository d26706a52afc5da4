/** Chunks of one version as the pipeline stored them: the log names their parts, object storage has the contents. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Chunk, ChunkList } from '../../domain/files/content/chunk';
import type { ActiveVersion } from '../../domain/files/file/state';
import { type ChunkPart, ingestionIdOf, ingestionStream, ingestions } from '../../domain/files/ingestion/events';
import { evolve, noIngestion } from '../../domain/files/ingestion/state';
import { pipelineVersion as newestPipeline } from '../../domain/files/pipeline';
import { decodeStored } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { BlobStore } from '../../infra/ports/blob-store';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import { type Problem, problemOf } from '../../infra/server/http/problem';
import { blobProblems } from './blob-problems';
import type { FileReading, ReadableFile } from './file-reading';

const pipelinesNewestFirst = Array.from({ length: newestPipeline }, (_, at) => newestPipeline - at);

const rules = { family: ingestions, initial: noIngestion, evolve };

/** In their order; empty before the first was indexed. */
export const chunkPartsOf = async (
  { source }: Pick<FileReading, 'source'>,
  tenant: TenantId,
  { versionId, pipelineVersion }: ActiveVersion,
): Promise<Either<Problem, readonly ChunkPart[]>> => {
  const stream = ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion));
  const loaded = await loadAggregate(source, rules, stream);
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const { state } = loaded.right;
  return right(state.kind === 'none' ? [] : state.parts);
};

const damaged: Problem = problemOf(
  { kind: 'fault', code: 'blob-damaged', detail: 'The chunks of the file are not what was stored.' },
  blobProblems,
);

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Chunks of one version of a file: the one that answers, unless another is named. */
export interface VersionChunks {
  readonly version: ActiveVersion;
  readonly parts: readonly ChunkPart[];
}

/** Of an earlier version, as the newest pipeline that indexed it left it; withdrawn from searches, its chunks stay until the file is deleted. */
export const versionChunksOf = async (
  reading: Pick<FileReading, 'source'>,
  { file: { active, versions }, tenant }: Pick<ReadableFile, 'file' | 'tenant'>,
  versionId = active?.versionId,
): Promise<Either<Problem, VersionChunks | undefined>> => {
  if (versionId === undefined || !versions.some((one) => one.versionId === versionId)) return right(undefined);
  const isActive = active?.versionId === versionId;
  const candidates = isActive ? [active.pipelineVersion] : pipelinesNewestFirst;
  for (const pipelineVersion of candidates) {
    const version = { versionId, pipelineVersion };
    const parts = await chunkPartsOf(reading, tenant, version);
    if (isLeft(parts)) return parts;
    if (isActive || parts.right.length > 0) return right({ version, parts: parts.right });
  }
  return right(undefined);
};

/** The chunks of one part. */
export const readChunks = async (
  blobs: Pick<BlobStore, 'get'>,
  { key, sha256 }: ChunkPart['chunks'],
  signal: AbortSignal,
): Promise<Either<Problem, readonly Chunk[]>> => {
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
  return isLeft(list) ? left(damaged) : right(list.right.chunks);
};
