/** Events of the processing of one version by one version of the pipeline. Outputs lie in object storage; an event promotes them. */
import * as t from 'io-ts';
import { integer, listOf, nullable, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { idOf, PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { ContentReference, Sha256 } from '../content/content-reference';
import { FileErrorCode } from '../content/error-code';
import { FileFormat } from '../content/read-result';
import { FileName, MediaType } from '../file/events';
import { FileId, FolderId, VersionId } from '../ids';
import { PipelineVersion, Stage } from '../pipeline';

/** `<version id>_<pipeline version>`: what is requested twice is one ingestion. */
export const IngestionId = idOf('IngestionId');
export type IngestionId = t.TypeOf<typeof IngestionId>;

export const ingestionIdOf = (versionId: VersionId, pipelineVersion: number): IngestionId =>
  `${versionId}_${pipelineVersion}` as IngestionId;

export const Source = record('IngestionSource', {
  key: text('SourceKey', { maxLength: 1_024 }),
  etag: text('SourceEtag', { maxLength: 200 }),
  sizeBytes: integer(1),
  /** As the uploader claims it. */
  checksumSha256: Sha256,
  mimeType: MediaType,
});
export type Source = t.TypeOf<typeof Source>;

/** At most this many chunks are in one part. */
export const chunksPerPart = 2_000;
/** Chunks of pages are large, for each of their words has a box. With their vectors they are below what projectors read of one event. */
export const bytesPerPart = 16_000_000;

/** Chunks, and their vectors once there are any. */
export const ChunkPart = record('ChunkPart', {
  chunks: ContentReference,
  count: integer(1, chunksPerPart),
  vectors: nullable(ContentReference),
});
export type ChunkPart = t.TypeOf<typeof ChunkPart>;

export const StageResult = record(
  'StageResult',
  {
    /** Of type detection. */
    format: nullable(FileFormat),
    /** What the stage stored. */
    outputs: listOf('StageOutputs', ContentReference, 200),
    /** Pages, passages, chunks or vectors: what the stage counts. */
    count: integer(0),
    /** Why a part is missing, in a sentence for people; null when all is there. */
    notice: nullable(text('StageNotice', { maxLength: 300 })),
  },
  /** This system is set up to do without the stage: it stays open, and the version is ready all the same. */
  {
    isLeftOut: t.boolean,
    /** Of the embedding: vectors that were not made, because the same text had one by the same model. */
    reused: integer(0),
  },
);
export type StageResult = t.TypeOf<typeof StageResult>;

const ingestion = { fileId: FileId, versionId: VersionId, pipelineVersion: PipelineVersion };
const stage = { ...ingestion, stage: Stage };
const EmbeddingModel = text('EmbeddingModel', { maxLength: 100 });
const Reason = text('IngestionReason', {
  maxLength: 300,
  examples: ['The file is encrypted; upload it without a password.'],
});

export const ingestions = aggregate(
  { context: 'files', name: 'ingestion', id: IngestionId },
  {
    IngestionRequested: { v: 1, data: { ...ingestion, source: Source, requestedBy: PrincipalId } },
    /** The version answers by an older pipeline, and does so until this one has indexed all of it. */
    ReindexingRequested: { v: 1, data: { ...ingestion, source: Source, requestedBy: PrincipalId } },
    /** The vectors are of another model: the chunks are indexed again once they have some of this one. */
    EmbeddingRequested: { v: 1, data: { ...ingestion, embeddingModel: EmbeddingModel } },
    /** `token` is of the job's claim: what an older claim brings later does not count. */
    StageCompleted: { v: 1, data: { ...stage, token: integer(0), result: StageResult } },
    /** It cannot be done now: the file is usable without it, and the stage is tried again. */
    StageDeferred: { v: 1, data: { ...stage, token: integer(0), reason: Reason, attempt: integer(1) } },
    StageRetried: { v: 1, data: { ...stage, requestedBy: PrincipalId } },
    /** Chunks take the place of earlier ones under the same ids: first without, then with vectors. */
    ChunksIndexed: {
      v: 1,
      data: {
        ...ingestion,
        part: integer(0),
        content: ChunkPart,
        embeddingModel: nullable(EmbeddingModel),
        name: secret(FileName, 'fileId'),
        /** Where the file lay when they were indexed. */
        folderId: nullable(FolderId),
        ownerId: PrincipalId,
      },
    },
    /** They are not found any more. */
    ChunksWithdrawn: { v: 1, data: { ...ingestion, part: integer(0), content: ChunkPart } },
    IngestionPartlyReady: { v: 1, data: { ...ingestion, chunks: integer(0) } },
    IngestionReady: { v: 1, data: { ...ingestion, chunks: integer(0) } },
    IngestionFailed: { v: 1, data: { ...ingestion, stage: Stage, code: FileErrorCode, detail: Reason } },
    /** A newer version answers, or the file is deleted. */
    IngestionCancelled: { v: 1, data: ingestion },
  },
);
export type IngestionEvent = typeof ingestions.Event;

export const { stream: ingestionStream } = ingestions;
