/** State of the processing of one version, as far as decisions and reads need it, and its fold. */
import type { PrincipalId } from '../../kernel/ids';
import type { Forgotten } from '../../kernel/secret';
import type { FileFormat } from '../content/read-result';
import type { FileId, FolderId, VersionId } from '../ids';
import { type JobStage, jobStagesOf, type Stage } from '../pipeline';
import type { ChunkPart, IngestionEvent, Source, StageResult } from './events';

export interface ProcessedVersion {
  readonly fileId: FileId;
  readonly versionId: VersionId;
  readonly pipelineVersion: number;
}

/** As the file is called and lies at the moment: what chunks are indexed with. */
export interface IndexedPlace<Name = string> {
  readonly name: Name;
  readonly folderId: FolderId | null;
  readonly ownerId: PrincipalId;
}

export interface RequestedIngestion extends ProcessedVersion {
  readonly kind: 'running' | 'ready' | 'failed' | 'cancelled';
  readonly source: Source;
  readonly requestedBy: PrincipalId;
  readonly format: FileFormat | undefined;
  readonly done: { readonly [S in JobStage]?: StageResult };
  /** How often each was put off since it was last tried at once. */
  readonly deferred: { readonly [S in JobStage]?: number };
  /** Of the newest claim of a stage that counted: it completed the stage or put it off. */
  readonly tokens: { readonly [S in JobStage]?: number };
  readonly parts: readonly ChunkPart[];
  readonly embeddingModel: string | null;
  /** What chunks were indexed with last; undefined before. */
  readonly place: IndexedPlace<string | Forgotten> | undefined;
  readonly isWithdrawn: boolean;
  /** The model whose vectors take the place of the present ones; undefined: they stay. */
  readonly wantedModel: string | undefined;
}
export type IngestionState = { readonly kind: 'none' } | RequestedIngestion;

export const noIngestion: IngestionState = { kind: 'none' };

/** The first that is not done, whether it is worked on or not. */
export const firstOpenStage = ({ done, pipelineVersion, wantedModel }: RequestedIngestion): JobStage | undefined =>
  wantedModel === undefined ? jobStagesOf(pipelineVersion).find((stage) => done[stage] === undefined) : 'embedding';

/** The stage that is to be worked on; undefined: none. */
export const nextStage = (state: RequestedIngestion): JobStage | undefined =>
  state.kind === 'running' || state.wantedModel !== undefined ? firstOpenStage(state) : undefined;

const without = (deferred: RequestedIngestion['deferred'], stage: Stage): RequestedIngestion['deferred'] =>
  Object.fromEntries(Object.entries(deferred).filter(([one]) => one !== stage));

const isJobStage = (stage: Stage): stage is JobStage => stage !== 'indexing';

const evolveRequested = (
  state: RequestedIngestion,
  { type, data }: Exclude<IngestionEvent, { type: 'IngestionRequested' | 'ReindexingRequested' }>,
): RequestedIngestion => {
  switch (type) {
    case 'EmbeddingRequested':
      return { ...state, wantedModel: data.embeddingModel, deferred: without(state.deferred, 'embedding') };
    case 'StageCompleted': {
      const { stage, token, result } = data;
      if (!isJobStage(stage)) return state;
      return {
        ...state,
        format: result.format ?? state.format,
        done: { ...state.done, [stage]: result },
        tokens: { ...state.tokens, [stage]: token },
        deferred: without(state.deferred, stage),
      };
    }
    case 'StageDeferred': {
      const { stage, token, attempt } = data;
      if (!isJobStage(stage)) return state;
      return {
        ...state,
        deferred: { ...state.deferred, [stage]: attempt },
        tokens: { ...state.tokens, [stage]: token },
      };
    }
    case 'StageRetried':
      return {
        ...state,
        kind: state.wantedModel === undefined ? 'running' : state.kind,
        deferred: without(state.deferred, data.stage),
      };
    case 'ChunksIndexed': {
      const { part, content, embeddingModel, name, folderId, ownerId } = data;
      const parts = [...state.parts];
      parts[part] = content;
      return { ...state, parts, embeddingModel, place: { name, folderId, ownerId } };
    }
    case 'ChunksWithdrawn':
      return { ...state, isWithdrawn: true, wantedModel: undefined };
    case 'IngestionPartlyReady':
      return state;
    case 'IngestionReady':
      return { ...state, kind: 'ready', wantedModel: undefined };
    case 'IngestionFailed':
      return { ...state, kind: 'failed' };
    case 'IngestionCancelled':
      return { ...state, kind: 'cancelled' };
  }
};

export const evolve = (state: IngestionState, event: IngestionEvent): IngestionState => {
  if (event.type === 'IngestionRequested' || event.type === 'ReindexingRequested') {
    const { fileId, versionId, pipelineVersion, source, requestedBy } = event.data;
    return {
      ...{ kind: 'running', fileId, versionId, pipelineVersion, source, requestedBy },
      ...{ format: undefined, done: {}, deferred: {}, tokens: {}, parts: [], embeddingModel: null, place: undefined },
      ...{ isWithdrawn: false, wantedModel: undefined },
    };
  }
  return state.kind === 'none' ? state : evolveRequested(state, event);
};
