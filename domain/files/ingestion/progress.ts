/** How far the processing of a version is, stage by stage: for the people who wait for it. */
import type { FileErrorCode } from '../content/error-code';
import type { FileFormat } from '../content/read-result';
import { jobStages, type Stage } from '../pipeline';
import type { IngestionEvent } from './events';

export interface StageProgress {
  /** How often it was put off since it was last tried at once. */
  readonly attempt: number;
  readonly isDone: boolean;
  /** Why it waits or failed, or what it left out. */
  readonly notice: string | null;
  readonly errorCode: FileErrorCode | null;
  /** Pages, passages, chunks or vectors. */
  readonly count: number | null;
}

export interface IngestionProgress {
  readonly kind: 'none' | 'running' | 'ready' | 'failed' | 'cancelled';
  /** Its chunks are found by their words. */
  readonly isFindable: boolean;
  readonly format: FileFormat | null;
  readonly stages: { readonly [S in Stage]?: StageProgress };
}

export const noProgress: IngestionProgress = { kind: 'none', isFindable: false, format: null, stages: {} };

const untried: StageProgress = { attempt: 0, isDone: false, notice: null, errorCode: null, count: null };

const withStage = (progress: IngestionProgress, stage: Stage, change: Partial<StageProgress>): IngestionProgress => ({
  ...progress,
  stages: { ...progress.stages, [stage]: { ...(progress.stages[stage] ?? untried), ...change } },
});

export const evolveProgress = (progress: IngestionProgress, { type, data }: IngestionEvent): IngestionProgress => {
  switch (type) {
    case 'IngestionRequested':
      return { ...noProgress, kind: 'running' };
    case 'StageCompleted': {
      const { notice, count, format } = data.result;
      const done = { isDone: true, attempt: 0, errorCode: null, notice, count };
      return withStage({ ...progress, format: format ?? progress.format }, data.stage, done);
    }
    case 'StageDeferred':
      return withStage(progress, data.stage, { attempt: data.attempt, notice: data.reason });
    case 'StageRetried':
      return withStage({ ...progress, kind: 'running' }, data.stage, { attempt: 0, notice: null, errorCode: null });
    case 'ChunksIndexed':
    case 'ChunksWithdrawn':
      return progress;
    case 'IngestionPartlyReady':
      return { ...progress, isFindable: true };
    case 'IngestionReady':
      return withStage({ ...progress, kind: 'ready', isFindable: true }, 'indexing', {
        isDone: true,
        count: data.chunks,
      });
    case 'IngestionFailed':
      return withStage({ ...progress, kind: 'failed' }, data.stage, { notice: data.detail, errorCode: data.code });
    case 'IngestionCancelled':
      return { ...progress, kind: 'cancelled' };
  }
};

/** The stage that is being worked on, or waits; undefined where none is. */
export const currentStage = ({ kind, stages }: IngestionProgress): Stage | undefined =>
  kind === 'running' ? jobStages.find((stage) => stages[stage]?.isDone !== true) : undefined;
