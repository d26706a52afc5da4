/** Stages end in order, each once: the first result under the newest claim counts. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { isForgotten } from '../../kernel/secret';
import type { FileErrorCode } from '../content/error-code';
import type { IndexingStage, JobStage } from '../pipeline';
import { type ChunkPart, type IngestionEvent, ingestions, type Source, type StageResult } from './events';
import {
  evolve,
  firstOpenStage,
  type IndexedPlace,
  type IngestionState,
  nextStage,
  noIngestion,
  type ProcessedVersion,
  type RequestedIngestion,
} from './state';

export type IngestionCommand =
  | (ProcessedVersion & {
      readonly type: 'RequestIngestion';
      readonly source: Source;
      readonly requestedBy: PrincipalId;
    })
  /** Of a version that an older pipeline processed, which answers until this one has. */
  | (ProcessedVersion & {
      readonly type: 'RequestReindexing';
      readonly source: Source;
      readonly requestedBy: PrincipalId;
    })
  /** Vectors of this model, in the place of those of another. */
  | (ProcessedVersion & { readonly type: 'RequestEmbedding'; readonly embeddingModel: string })
  | (ProcessedVersion & {
      readonly type: 'CompleteStage';
      readonly stage: JobStage;
      readonly token: number;
      readonly result: StageResult;
    })
  | (ProcessedVersion & {
      readonly type: 'CompleteIndexing';
      readonly stage: IndexingStage;
      readonly token: number;
      readonly result: StageResult;
      readonly parts: readonly ChunkPart[];
      readonly embeddingModel: string | null;
      readonly place: IndexedPlace;
    })
  | (ProcessedVersion & {
      readonly type: 'DeferStage';
      readonly stage: JobStage;
      readonly token: number;
      readonly reason: string;
    })
  | (ProcessedVersion & { readonly type: 'RetryStage'; readonly stage: JobStage; readonly requestedBy: PrincipalId })
  | (ProcessedVersion & {
      readonly type: 'FailIngestion';
      readonly stage: JobStage;
      readonly token: number;
      readonly code: FileErrorCode;
      readonly detail: string;
    })
  /** The file has another name, folder or owner. */
  | (ProcessedVersion & { readonly type: 'PlaceChunks'; readonly place: IndexedPlace })
  /** Some are missing in the index. */
  | (ProcessedVersion & { readonly type: 'ReindexChunks'; readonly place: IndexedPlace })
  | (ProcessedVersion & { readonly type: 'WithdrawChunks' })
  | (ProcessedVersion & { readonly type: 'CancelIngestion' });

export type IngestionRejection = 'ingestion-unknown' | 'stage-not-retriable';
type Decision = Either<Rejection<IngestionRejection>, readonly IngestionEvent[]>;
type CommandOf<Type extends IngestionCommand['type']> = Extract<IngestionCommand, { type: Type }>;

const nameOf = ({ fileId, versionId, pipelineVersion }: ProcessedVersion): ProcessedVersion => ({
  fileId,
  versionId,
  pipelineVersion,
});

const isStale = (state: RequestedIngestion, stage: JobStage, token: number): boolean =>
  nextStage(state) !== stage || token < (state.tokens[stage] ?? 0);

const indexed = (
  named: ProcessedVersion,
  { parts, place, embeddingModel }: Pick<CommandOf<'CompleteIndexing'>, 'parts' | 'place' | 'embeddingModel'>,
): readonly IngestionEvent[] =>
  parts.map((content, part) => ({
    type: 'ChunksIndexed' as const,
    data: { ...nameOf(named), part, content, embeddingModel, ...place },
  }));

const chunksOf = (parts: readonly ChunkPart[]): number => parts.reduce((sum, { count }) => sum + count, 0);

const completeStage = (command: CommandOf<'CompleteStage'>, state: RequestedIngestion): Decision => {
  const { stage, token, result } = command;
  if (isStale(state, stage, token)) return right([]);
  return right([{ type: 'StageCompleted', data: { ...nameOf(command), stage, token, result } }]);
};

/** Chunks without vectors are found by their words; with the vectors the version is ready. What is recognised between adds to it. */
const endsOf = (
  { stage, ...named }: ProcessedVersion & { readonly stage: IndexingStage },
  chunks: number,
): readonly IngestionEvent[] => {
  switch (stage) {
    case 'chunking':
      return [{ type: 'IngestionPartlyReady', data: { ...named, chunks } }];
    case 'ocr':
    case 'transcription':
      return [];
    case 'embedding':
      return [{ type: 'IngestionReady', data: { ...named, chunks } }];
  }
};

/**
 * Chunks that are indexed already keep the place that they have: a change of it comes by `PlaceChunks`, maybe after the worker read it, and once
 * more when the version begins to answer.
 */
const placeOf = (command: CommandOf<'CompleteIndexing'>, { place }: RequestedIngestion): IndexedPlace =>
  place === undefined || isForgotten(place.name) ? command.place : { ...place, name: place.name };

const completeIndexing = (command: CommandOf<'CompleteIndexing'>, state: RequestedIngestion): Decision => {
  const { stage, token, result, parts } = command;
  if (isStale(state, stage, token)) return right([]);
  const named = nameOf(command);
  const ends = endsOf({ ...named, stage }, chunksOf(parts));
  return right([
    { type: 'StageCompleted', data: { ...named, stage, token, result } },
    ...indexed(named, { ...command, place: placeOf(command, state) }),
    ...ends,
  ]);
};

const defer = (command: CommandOf<'DeferStage'>, state: RequestedIngestion): Decision => {
  const { stage, token, reason } = command;
  if (isStale(state, stage, token) || token === state.tokens[stage]) return right([]);
  const attempt = (state.deferred[stage] ?? 0) + 1;
  return right([{ type: 'StageDeferred', data: { ...nameOf(command), stage, token, reason, attempt } }]);
};

/** Of chunks that have vectors: others get theirs with the stage that makes them. What is requested already is requested once. */
const requestEmbedding = (command: CommandOf<'RequestEmbedding'>, state: RequestedIngestion): Decision => {
  const { embeddingModel } = command;
  const isDue = state.kind === 'ready' && !state.isWithdrawn && state.parts.length > 0;
  if (!isDue || (state.wantedModel ?? state.embeddingModel) === embeddingModel) return right([]);
  return right([{ type: 'EmbeddingRequested', data: { ...nameOf(command), embeddingModel } }]);
};

const retry = (command: CommandOf<'RetryStage'>, state: RequestedIngestion): Decision => {
  const { stage, requestedBy } = command;
  const isWaiting = state.kind === 'failed' || (nextStage(state) === stage && state.deferred[stage] !== undefined);
  if (!isWaiting || state.isWithdrawn || firstOpenStage(state) !== stage)
    return reject('stage-not-retriable', 'The stage neither failed nor waits.');
  return right([{ type: 'StageRetried', data: { ...nameOf(command), stage, requestedBy } }]);
};

const fail = (command: CommandOf<'FailIngestion'>, state: RequestedIngestion): Decision => {
  const { stage, token, code, detail } = command;
  if (state.kind !== 'running' || isStale(state, stage, token)) return right([]);
  return right([{ type: 'IngestionFailed', data: { ...nameOf(command), stage, code, detail } }]);
};

/** What is still running, or may be retried, would index chunks again, so it ends, too. */
const withdraw = (command: CommandOf<'WithdrawChunks'>, { kind, parts, isWithdrawn }: RequestedIngestion): Decision => {
  if (isWithdrawn) return right([]);
  const named = nameOf(command);
  return right([
    ...parts.map((content, part): IngestionEvent => ({ type: 'ChunksWithdrawn', data: { ...named, part, content } })),
    ...(kind === 'running' || kind === 'failed' ? [{ type: 'IngestionCancelled' as const, data: named }] : []),
  ]);
};

const placeChunks = (command: CommandOf<'PlaceChunks'>, state: RequestedIngestion): Decision => {
  const { place } = command;
  const { name, folderId, ownerId } = state.place ?? {};
  const isSame = name === place.name && folderId === place.folderId && ownerId === place.ownerId;
  return right(isSame || state.isWithdrawn ? [] : indexed(command, { ...state, place }));
};

const decide = (command: IngestionCommand, state: IngestionState): Decision => {
  if (command.type === 'RequestIngestion' || command.type === 'RequestReindexing') {
    const { source, requestedBy } = command;
    const type = command.type === 'RequestIngestion' ? 'IngestionRequested' : 'ReindexingRequested';
    return right(state.kind === 'none' ? [{ type, data: { ...nameOf(command), source, requestedBy } }] : []);
  }
  if (state.kind === 'none') return reject('ingestion-unknown', 'The version is not being processed.');
  switch (command.type) {
    case 'RequestEmbedding':
      return requestEmbedding(command, state);
    case 'CompleteStage':
      return completeStage(command, state);
    case 'CompleteIndexing':
      return completeIndexing(command, state);
    case 'DeferStage':
      return defer(command, state);
    case 'RetryStage':
      return retry(command, state);
    case 'FailIngestion':
      return fail(command, state);
    case 'PlaceChunks':
      return placeChunks(command, state);
    case 'ReindexChunks':
      return right(state.isWithdrawn ? [] : indexed(command, { ...state, place: command.place }));
    case 'WithdrawChunks':
      return withdraw(command, state);
    case 'CancelIngestion':
      return right(state.kind === 'running' ? [{ type: 'IngestionCancelled', data: nameOf(command) }] : []);
  }
};

export const ingestion: Decider<IngestionCommand, IngestionState, IngestionEvent, IngestionRejection> = {
  family: ingestions,
  initial: noIngestion,
  evolve,
  decide,
};
