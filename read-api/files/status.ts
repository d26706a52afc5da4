/** GET /v1/files/:fileId/status: how far a version is, stage by stage, from the log and so without a view's delay. */
import { isLeft } from 'fp-ts/Either';
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
} from '../../domain/files/pipeline';
import { integer, listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import { problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { FilePath, type FileReading, readProblems, requireReadableFile, scopes, versionUnknown } from './file-reading';

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
  { progressPercent: integer(0, 100) },
);
type StageAnswer = t.TypeOf<typeof StageAnswer>;

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
  { progressPercent: integer(0, 100) },
);

const stageStatus = (progress: IngestionProgress, stage: Stage): t.TypeOf<typeof StageStatus> => {
  if (progress.stages[stage]?.isDone === true) return 'READY';
  if (stage === 'indexing') return progress.isFindable ? 'PROCESSING' : 'PENDING';
  const isWaiting = (progress.stages[stage]?.attempt ?? 0) > 0;
  return currentStage(progress) === stage && !isWaiting ? 'PROCESSING' : 'PENDING';
};

const stageAnswer = (progress: IngestionProgress, name: Stage): StageAnswer => {
  const { attempt = 0, notice = null, errorCode = null, count = null } = progress.stages[name] ?? {};
  const status = stageStatus(progress, name);
  const percent = status === 'READY' ? { progressPercent: 100 } : status === 'PENDING' ? { progressPercent: 0 } : {};
  return { name, status, attempt, reason: notice, errorCode, count, ...percent };
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

const answerOf = (
  file: CreatedFileState,
  version: FileVersion,
  { progress, pipelineVersion }: { readonly progress: IngestionProgress; readonly pipelineVersion: number },
): t.TypeOf<typeof FileStatusAnswer> => {
  const { versionId, versionNumber, upload } = version;
  const answers = stages.map((stage) => stageAnswer(progress, stage));
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
    progressPercent: Math.round((100 * done) / stages.length),
  };
};

const rules = { family: ingestions, initial: noProgress, evolve: evolveProgress };

export const getFileStatus = route<FileReading>()({
  method: 'get',
  path: '/v1/files/:fileId/status',
  operation: 'getFileStatus',
  summary: 'Get the processing of a file, stage by stage',
  description:
    'Of the version that answers or, until one does, of the newest; `versionId` names another. A stage that waits has its reason, and is tried again by itself; one that failed has an `errorCode`.',
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
    const isActive = file.active?.versionId === version.versionId;
    const pipelineVersion = isActive ? file.active.pipelineVersion : newestPipeline;
    const stream = ingestionStream(tenant, ingestionIdOf(version.versionId, pipelineVersion));
    const loaded = await loadAggregate(reading.source, rules, stream);
    if (isLeft(loaded)) return problemOf(loaded.left, {});
    return { status: 200, body: answerOf(file, version, { progress: loaded.right.state, pipelineVersion }) };
  },
});
