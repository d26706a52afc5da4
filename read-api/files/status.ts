/**
 * GET /v1/files/:fileId/status: how far a version is, stage by stage, from the log and so without a view's delay. Of the stage that is due, the work
 * queue has its place and its worker.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { FileErrorCode } from '../../domain/files/content/error-code';
import type { CreatedFileState, FileVersion } from '../../domain/files/file/state';
import { FileId, VersionId } from '../../domain/files/ids';
import { ingestionIdOf, ingestionStream, ingestions } from '../../domain/files/ingestion/events';
import {
  currentStage,
  evolveProgress,
  type IngestionProgress,
  noProgress,
} from '../../domain/files/ingestion/progress';
import {
  FileStatus,
  pipelineVersion as newestPipeline,
  PipelineVersion,
  type Stage,
  stages,
  stagesOf,
} from '../../domain/files/pipeline';
import { Instant, integer, listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { EventStoreFault } from '../../infra/ports/event-store';
import { applyStoredEvents, emptyAggregate } from '../../infra/server/aggregates/loaded-aggregate';
import { problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { FilePath, type FileReading, readProblems, requireReadableFile, scopes, versionUnknown } from './file-reading';
import { type StageJobState, StageWait, stageJobOf } from './stage-job';

const StageStatus = oneOf('StageStatus', ['READY', 'PROCESSING', 'PENDING']);

const StageAnswer = record(
  'FileStage',
  {
    name: oneOf('FileStageName', stages),
    status: StageStatus,
    /** How often it was put off since it was last tried at once. */
    attempt: integer(0),
    /** Why it waits or failed, or what it left out, in a sentence. */
    reason: nullable(text('StageReason', { maxLength: 300 })),
    errorCode: nullable(FileErrorCode),
    /** Pages, passages, chunks or vectors, once it is done. */
    count: nullable(integer(0)),
  },
  {
    /** Of a stage that is worked on, as far as its worker reports it. */
    progressPercent: integer(0, 100),
    /** Of the stage that is due and not worked on. */
    waitsFor: StageWait,
    /** 1 for the job that is taken next, tenants in turn. */
    queuePosition: integer(1),
    nextTryAt: Instant,
    /** How often a worker has begun with it since it was queued. */
    tries: integer(0),
    /** `not_needed`: the file has nothing for it. `left_out`: this system is set up to do without it. */
    skipped: oneOf('StageSkip', ['not_needed', 'left_out']),
    /** Vectors that were not made again, for the same text had one. */
    reused: integer(0),
  },
);
type StageAnswer = t.TypeOf<typeof StageAnswer>;

/** `pipeline`: by a newer one. `model`: vectors by another one. */
const Reindexing = record('FileReindexingStatus', {
  cause: oneOf('ReindexingCause', ['pipeline', 'model']),
  /** `PENDING`: it waits, or failed; what answers goes on answering. */
  status: StageStatus,
  stage: nullable(oneOf('ReindexedStageName', stages)),
  reason: nullable(text('ReindexingReason', { maxLength: 300 })),
});
type Reindexing = t.TypeOf<typeof Reindexing>;

const FileStatusAnswer = record(
  'FileProcessing',
  {
    fileId: FileId,
    status: FileStatus,
    stages: listOf('FileStages', StageAnswer, stages.length),
    /** What status and stages are of. */
    versionId: VersionId,
    versionNumber: integer(1),
    pipelineVersion: PipelineVersion,
    errorCode: nullable(FileErrorCode),
    /** Why it failed or waits, in a sentence. */
    reason: nullable(text('FileReason', { maxLength: 300 })),
  },
  {
    progressPercent: integer(0, 100),
    /** Where the version that answers is processed again, or is to be. */
    reindexing: Reindexing,
  },
);

const stageStatus = (
  progress: IngestionProgress,
  stage: Stage,
  { waitsFor, isWorkedOn = false }: StageJobState,
): t.TypeOf<typeof StageStatus> => {
  const known = progress.stages[stage];
  if (known?.isDone === true) return known.isLeftOut ? 'PENDING' : 'READY';
  if (stage === 'indexing') return progress.isFindable ? 'PROCESSING' : 'PENDING';
  const isWaiting = waitsFor !== undefined || ((known?.attempt ?? 0) > 0 && !isWorkedOn);
  return currentStage(progress) === stage && !isWaiting ? 'PROCESSING' : 'PENDING';
};

/** The reason of the delay is more useful than that of the wait. */
const reasonOf = (notice: string | null, { reason, waitsFor }: StageJobState): string | null =>
  waitsFor === 'next_try' ? (notice ?? reason ?? null) : (reason ?? notice);

const skippedStage = ({ stages: known }: IngestionProgress, name: Stage): StageAnswer['skipped'] => {
  if (known[name]?.isNotNeeded === true) return 'not_needed';
  return known[name]?.isLeftOut === true ? 'left_out' : undefined;
};

const stageAnswer = (progress: IngestionProgress, name: Stage, job: StageJobState): StageAnswer => {
  const { attempt = 0, notice = null, errorCode = null, count = null, reused = null } = progress.stages[name] ?? {};
  // A stage that is done and done again is shown as it is: `reindexing` has the rest.
  const ofJob = currentStage(progress) === name && !progress.isEmbeddedAgain ? job : {};
  const status = stageStatus(progress, name, ofJob);
  const { progressPercent, waitsFor, queuePosition, nextTryAt, tries } = ofJob;
  const skipped = skippedStage(progress, name);
  const percent = status === 'READY' ? 100 : status === 'PENDING' ? 0 : progressPercent;
  return {
    ...{ name, status, attempt, reason: reasonOf(notice, ofJob), errorCode, count },
    ...(percent === undefined ? {} : { progressPercent: percent }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(queuePosition === undefined ? {} : { queuePosition }),
    ...(nextTryAt === undefined ? {} : { nextTryAt }),
    ...(tries === undefined ? {} : { tries }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(reused === null ? {} : { reused }),
  };
};

const expired = 'The upload was not completed in time; upload the file again.';

const statusOf = ({ upload }: FileVersion, { kind, isFindable }: IngestionProgress): FileStatus => {
  if (upload === 'open') return 'UPLOADING';
  if (upload === 'expired') return 'FAILED';
  switch (kind) {
    case 'none':
      return 'UPLOADED';
    case 'running':
    case 'cancelled':
      return isFindable ? 'PARTIALLY_READY' : 'PROCESSING';
    case 'ready':
      return 'READY';
    case 'failed':
      return isFindable ? 'PARTIALLY_READY' : 'FAILED';
  }
};

/** The version that answers; until one does, the newest. */
export const statusVersionOf = (
  { versions, active }: CreatedFileState,
  versionId = active?.versionId ?? versions.at(-1)?.versionId,
): FileVersion | undefined => versions.find((one) => one.versionId === versionId);

interface Processing {
  readonly progress: IngestionProgress;
  readonly pipelineVersion: number;
  readonly job: StageJobState;
  /** By a newer pipeline than the one that answers; undefined: it has not begun. */
  readonly newer?: { readonly progress: IngestionProgress; readonly job: StageJobState } | undefined;
}

const reindexingBy = (
  cause: Reindexing['cause'],
  { progress, job }: { readonly progress: IngestionProgress; readonly job: StageJobState },
): Reindexing => {
  const stage = currentStage(progress) ?? null;
  const failed = Object.values(progress.stages).find(({ errorCode }) => errorCode !== null);
  const notice = stage === null ? (failed?.notice ?? null) : (progress.stages[stage]?.notice ?? null);
  const isWaiting = job.waitsFor !== undefined || stage === null;
  return { cause, status: isWaiting ? 'PENDING' : 'PROCESSING', stage, reason: reasonOf(notice, job) };
};

/** Undefined: what answers is of the present pipeline, and its vectors stay. */
const reindexingOf = (
  { active }: CreatedFileState,
  version: FileVersion,
  processing: Processing,
): Reindexing | undefined => {
  if (active?.versionId !== version.versionId) return undefined;
  if (active.pipelineVersion < newestPipeline)
    return processing.newer === undefined
      ? { cause: 'pipeline', status: 'PENDING', stage: null, reason: 'It is processed again after files that are new.' }
      : reindexingBy('pipeline', processing.newer);
  return processing.progress.isEmbeddedAgain ? reindexingBy('model', processing) : undefined;
};

const answerOf = (
  file: CreatedFileState,
  version: FileVersion,
  processing: Processing,
): t.TypeOf<typeof FileStatusAnswer> => {
  const { progress, pipelineVersion, job } = processing;
  const reindexing = reindexingOf(file, version, processing);
  const { versionId, versionNumber, upload } = version;
  const answers = stagesOf(pipelineVersion).map((stage) => stageAnswer(progress, stage, job));
  const done = answers.filter(({ status }) => status === 'READY').length;
  const stopped = answers.find(({ errorCode }) => errorCode !== null);
  const waiting = answers.find(({ status, reason }) => status !== 'READY' && reason !== null);
  return {
    fileId: file.fileId,
    status: statusOf(version, progress),
    stages: answers,
    ...{ versionId, versionNumber, pipelineVersion },
    errorCode: stopped?.errorCode ?? null,
    reason: upload === 'expired' ? expired : ((stopped ?? waiting)?.reason ?? null),
    progressPercent: progress.kind === 'ready' ? 100 : Math.round((100 * done) / answers.length),
    ...(reindexing === undefined ? {} : { reindexing }),
  };
};

const rules = { family: ingestions, initial: noProgress, evolve: evolveProgress };

interface ProcessedVersion {
  readonly tenant: TenantId;
  readonly versionId: VersionId;
  /** Of the pipeline by which it answers; undefined: it does not. */
  readonly active: number | undefined;
}

interface OfPipeline {
  readonly progress: IngestionProgress;
  readonly job: StageJobState;
}

/** Undefined: that pipeline has not begun with it. */
const processingBy = async (
  reading: FileReading,
  { tenant, versionId }: Pick<ProcessedVersion, 'tenant' | 'versionId'>,
  pipelineVersion: number,
): Promise<Either<EventStoreFault, OfPipeline | undefined>> => {
  const stream = ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion));
  const events = await reading.source.store.read(stream, 0);
  if (isLeft(events)) return events;
  const { state: progress } = applyStoredEvents(rules, emptyAggregate(rules), events.right);
  if (progress.kind === 'none') return right(undefined);
  return right({ progress, job: await stageJobOf(reading.jobs, { tenant, events: events.right, progress }) });
};

/** By the pipeline whose work answers; else by the newest that has begun with it, which may be one before the present. */
const findProcessing = async (
  reading: FileReading,
  version: ProcessedVersion,
): Promise<Either<EventStoreFault, Processing>> => {
  const { active } = version;
  for (let pipelineVersion = active ?? newestPipeline; pipelineVersion > 0; pipelineVersion -= 1) {
    const found = await processingBy(reading, version, pipelineVersion);
    if (isLeft(found)) return found;
    if (found.right === undefined) continue;
    if (active === undefined || active === newestPipeline) return right({ ...found.right, pipelineVersion });
    const newer = await processingBy(reading, version, newestPipeline);
    return isLeft(newer) ? newer : right({ ...found.right, pipelineVersion, newer: newer.right });
  }
  return right({ progress: noProgress, pipelineVersion: newestPipeline, job: {} });
};

export const getFileStatus = route<FileReading>()({
  method: 'get',
  path: '/v1/files/:fileId/status',
  operation: 'getFileStatus',
  summary: 'Get the processing of a file, stage by stage',
  description:
    'Of the version that answers or, until one does, of the newest; `versionId` names another. A stage that waits has its reason: its position in the queue, the worker that was lost, or what is away and the time of the next try, which comes by itself. One that failed has an `errorCode`. What this system is set up to do without stays `PENDING`, and what the file has nothing for is `READY`: `skipped` tells both. `reindexing` is there while a newer pipeline or another embedding model works on what answers.',
  access: { scopes },
  params: FilePath,
  query: record('FileStatusQuery', {}, { versionId: VersionId }),
  answers: { 200: { description: 'How far it is.', body: FileStatusAnswer } },
  problems: readProblems,
  handle: async (reading, { params: { fileId }, query: { versionId }, identity }) => {
    const found = await requireReadableFile(reading, identity, fileId);
    if (isLeft(found)) return found.left;
    const { file, tenant } = found.right;
    const version = statusVersionOf(file, versionId);
    if (version === undefined) return versionUnknown;
    const active = file.active?.versionId === version.versionId ? file.active.pipelineVersion : undefined;
    const processing = await findProcessing(reading, { tenant, versionId: version.versionId, active });
    if (isLeft(processing)) return problemOf(processing.left, {});
    return { status: 200, body: answerOf(file, version, processing.right) };
  },
});
