/** Performs one stage of the processing of a version in a worker, and records how it ended. */
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { type IngestionCommand, ingestion } from '../../../domain/files/ingestion/decider';
import { ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import { type IndexedPlace, nextStage } from '../../../domain/files/ingestion/state';
import type { StageJob } from '../../../domain/files/run-stages-on-ingestion/process';
import { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { JobFailure, PerformJob } from '../../kernel/work-queue/job-handler';
import { embedChunks } from './embed-chunks';
import { indexedPlaceOf } from './indexed-place';
import { detectType, extractText, recogniseText } from './read-document';
import { again, type StageDeps, type StageEnd, type StageOutcome, type StageRun } from './stage-run';
import { storeChunks } from './store-chunks';
import { validate } from './validate';

const send = async (
  { deps, tenant, job }: StageRun,
  command: IngestionCommand,
): Promise<Either<JobFailure, readonly []>> => {
  const { fileId, versionId, pipelineVersion, stage } = job.payload;
  const handled = await handle(deps, ingestion, {
    stream: ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)),
    command,
    tenant,
    actor: 'system:work.files-ingestion',
    ...job.cause,
    commandId: derivedId('files-stage', tenant, fileId, versionId, pipelineVersion, stage, command.type, job.token),
  });
  return isLeft(handled) ? again(handled.left.detail) : right([]);
};

const endingOf = (name: string): string => /\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';

const perform = (stage: StageRun, { name }: IndexedPlace): StageEnd => {
  switch (stage.job.payload.stage) {
    case 'validation':
      return validate(stage);
    case 'type_detection':
      return detectType(stage, endingOf(name));
    case 'text_extraction':
      return extractText(stage, endingOf(name));
    case 'ocr':
      return recogniseText(stage, endingOf(name));
    case 'chunking':
      return storeChunks(stage);
    case 'embedding':
      return embedChunks(stage);
  }
};

const complete = async (
  stageRun: StageRun,
  { result, indexed }: StageOutcome,
): Promise<Either<JobFailure, readonly []>> => {
  const { payload, token } = stageRun.job;
  const { stage, ...named } = payload;
  if (indexed === undefined) return send(stageRun, { type: 'CompleteStage', ...named, stage, token, result });
  // It may have been renamed or moved since the stage began.
  const place = await indexedPlaceOf(stageRun.deps, stageRun.tenant, payload.fileId);
  if (isLeft(place)) return place;
  if (place.right === undefined || (stage !== 'chunking' && stage !== 'embedding')) return right([]);
  return send(stageRun, { type: 'CompleteIndexing', ...named, stage, token, result, ...indexed, place: place.right });
};

const finish = async (stageRun: StageRun, ended: Awaited<StageEnd>): Promise<Either<JobFailure, readonly []>> => {
  const { payload, token } = stageRun.job;
  if (isRight(ended)) return complete(stageRun, ended.right);
  const { stage, ...named } = payload;
  const refused = ended.left;
  switch (refused.kind) {
    case 'deferred':
      return send(stageRun, { type: 'DeferStage', ...named, stage, token, reason: refused.reason });
    case 'file-fault':
      return send(stageRun, { type: 'FailIngestion', ...named, stage, code: refused.code, detail: refused.detail });
    case 'transient':
    case 'permanent':
      if (refused.kind === 'transient' && (!stageRun.run.isLastAttempt() || stageRun.run.signal.aborted))
        return left(refused);
      return send(stageRun, {
        type: 'FailIngestion',
        ...named,
        ...{ stage, code: 'INTERNAL', detail: 'The file could not be processed; try again later.' },
      });
  }
};

/** A stage that is done, or not yet due, has no effect. */
export const performStage =
  (deps: StageDeps): PerformJob<StageJob> =>
  async (job, run) => {
    const { tenant, payload } = job;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const { versionId, pipelineVersion, stage } = payload;
    const loaded = await loadStream(
      deps,
      ingestion,
      ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)),
    );
    if (isLeft(loaded)) return again(loaded.left.detail);
    const state = loaded.right;
    if (state.kind === 'none' || nextStage(state) !== stage) return right([]);
    const stageRun: StageRun = { deps, tenant, job, run, state };
    const place = await indexedPlaceOf(stageRun.deps, stageRun.tenant, payload.fileId);
    if (isLeft(place)) return place;
    if (place.right === undefined) {
      const { stage: _, ...named } = payload;
      return send(stageRun, { type: 'CancelIngestion', ...named });
    }
    return finish(stageRun, await perform(stageRun, place.right));
  };
