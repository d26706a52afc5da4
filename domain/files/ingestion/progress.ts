/** How far the processing of a version is, stage by stage: for the people who wait for it. */
import type { FileErrorCode } from '../content/error-code';
import type { FileFormat } from '../content/read-result';
import { type JobStage, jobStagesOf, type Stage } from '../pipeline';
import type { IngestionEvent } from './events';

export interface StageProgress {
  /** How often it was put off since it was last tried at once. */
  readonly attempt: number;
  readonly isDone: boolean;
  /** This system is set up to do without it. */
  readonly isLeftOut: boolean;
  /** The file has nothing for it: no pictures, or no speech. */
  readonly isNotNeeded: boolean;
  /** Why it waits or failed, or what it left out. */
  readonly notice: string | null;
  readonly errorCode: FileErrorCode | null;
  /** Pages, passages, chunks or vectors. */
  readonly count: number | null;
  /** Of them, vectors that were not made, for the same text had one. */
  readonly reused: number | null;
}

export interface IngestionProgress {
  readonly kind: 'none' | 'running' | 'ready' | 'failed' | 'cancelled';
  /** Its chunks are found by their words. */
  readonly isFindable: boolean;
  readonly format: FileFormat | null;
  /** 0 before it was requested. */
  readonly pipelineVersion: number;
  /** Vectors of another model are made for chunks that are found. */
  readonly isEmbeddedAgain: boolean;
  readonly stages: { readonly [S in Stage]?: StageProgress };
}

export const noProgress: IngestionProgress = {
  kind: 'none',
  isFindable: false,
  format: null,
  pipelineVersion: 0,
  isEmbeddedAgain: false,
  stages: {},
};

const untried: StageProgress = {
  attempt: 0,
  isDone: false,
  isLeftOut: false,
  isNotNeeded: false,
  notice: null,
  errorCode: null,
  count: null,
  reused: null,
};

const withStage = (progress: IngestionProgress, stage: Stage, change: Partial<StageProgress>): IngestionProgress => ({
  ...progress,
  stages: { ...progress.stages, [stage]: { ...(progress.stages[stage] ?? untried), ...change } },
});

export const evolveProgress = (progress: IngestionProgress, { type, data }: IngestionEvent): IngestionProgress => {
  switch (type) {
    case 'IngestionRequested':
    case 'ReindexingRequested':
      return { ...noProgress, kind: 'running', pipelineVersion: data.pipelineVersion };
    case 'EmbeddingRequested':
      return { ...withStage(progress, 'embedding', { attempt: 0, notice: null }), isEmbeddedAgain: true };
    case 'StageCompleted': {
      const { notice, count, format, outputs, isLeftOut = false, reused = null } = data.result;
      // What was recognised is stored, also where it is empty.
      const isNotNeeded =
        (data.stage === 'ocr' || data.stage === 'transcription') && !isLeftOut && outputs.length === 0;
      const done = { isDone: true, isLeftOut, isNotNeeded, attempt: 0, errorCode: null, notice, count, reused };
      return withStage({ ...progress, format: format ?? progress.format }, data.stage, done);
    }
    case 'StageDeferred':
      return withStage(progress, data.stage, { attempt: data.attempt, notice: data.reason });
    case 'StageRetried':
      return withStage({ ...progress, kind: progress.isEmbeddedAgain ? progress.kind : 'running' }, data.stage, {
        attempt: 0,
        notice: null,
        errorCode: null,
      });
    case 'ChunksIndexed':
      return progress;
    case 'ChunksWithdrawn':
      return { ...progress, isEmbeddedAgain: false };
    case 'IngestionPartlyReady':
      return { ...progress, isFindable: true };
    case 'IngestionReady':
      return withStage({ ...progress, kind: 'ready', isFindable: true, isEmbeddedAgain: false }, 'indexing', {
        isDone: true,
        count: data.chunks,
      });
    case 'IngestionFailed':
      return withStage({ ...progress, kind: 'failed' }, data.stage, { notice: data.detail, errorCode: data.code });
    case 'IngestionCancelled':
      return { ...progress, kind: 'cancelled' };
  }
};

/** The first that is not done, whether it is worked on or not; undefined where all are. */
const openStage = ({ stages, pipelineVersion }: IngestionProgress): JobStage | undefined =>
  jobStagesOf(pipelineVersion).find((stage) => stages[stage]?.isDone !== true);

/** The stage that is being worked on, or waits; undefined where none is. */
export const currentStage = (progress: IngestionProgress): JobStage | undefined => {
  if (progress.isEmbeddedAgain) return 'embedding';
  return progress.kind === 'running' ? openStage(progress) : undefined;
};
