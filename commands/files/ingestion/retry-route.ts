/** POST /v1/files/:fileId/retry: the stage that failed or waits is tried at once, and the processing goes on from there. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { CreatedFileState, FileVersion } from '../../../domain/files/file/state';
import { FileId, VersionId } from '../../../domain/files/ids';
import { ingestion } from '../../../domain/files/ingestion/decider';
import { ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import { firstOpenStage, type RequestedIngestion } from '../../../domain/files/ingestion/state';
import { JobStageName, pipelineVersion as newestPipeline } from '../../../domain/files/pipeline';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { requireFile } from '../../../infra/server/files/file-access';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { fileSourceOf } from '../file-source';
import { fileProblems, retryProblems } from '../problems';

const problems = { ...fileProblems, ...retryProblems };

const refused = (code: keyof typeof problems, detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, problems));

/** Without a name, it is of the newest version whose bytes are there. */
const versionToRetry = ({ versions }: CreatedFileState, versionId: VersionId | undefined): FileVersion | undefined =>
  versionId === undefined
    ? versions.findLast(({ upload }) => typeof upload === 'object')
    : versions.find((one) => one.versionId === versionId);

/** The newest pipeline that has begun with the version, which may be one before the present. */
const findIngestion = async (
  source: StreamSource,
  tenant: TenantId,
  versionId: VersionId,
): Promise<Either<Problem, RequestedIngestion>> => {
  for (let pipelineVersion = newestPipeline; pipelineVersion > 0; pipelineVersion -= 1) {
    const stream = ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion));
    const loaded = await loadStream(source, ingestion, stream);
    if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
    if (loaded.right.kind !== 'none') return right(loaded.right);
  }
  return refused('ingestion-unknown', 'The version is not being processed.');
};

export const retryFile = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/files/:fileId/retry',
  operation: 'retryFile',
  summary: 'Try the processing of a file again, now',
  description:
    'The stage that failed, or that waits for its next try, is tried at once, and those after it follow. Without `versionId`, of the newest version that was uploaded.',
  scopes: ['files:write'],
  sensitive: false,
  params: record('RetriedFilePath', { fileId: FileId }),
  body: record('FileRetry', {}, { versionId: VersionId }),
  answer: record('RetriedFile', { fileId: FileId, versionId: VersionId, stage: JobStageName }),
  decider: ingestion,
  problems,
  prepare: async ({ params: { fileId }, body, tenantId: tenant, identity: { principalId } }, deps) => {
    if (!PrincipalId.is(principalId)) return left(problem('forbidden', 'The token’s principal cannot change files.'));
    const found = await requireFile(fileSourceOf(deps), { tenant, fileId, principalId, act: 'write' });
    if (isLeft(found)) return left(problemOf(found.left, fileProblems));
    const version = versionToRetry(found.right.file, body.versionId);
    if (version === undefined)
      return body.versionId === undefined
        ? refused('ingestion-unknown', 'No version of the file has been uploaded.')
        : refused('version-unknown', 'The file has no such version.');
    const { versionId } = version;
    const processed = await findIngestion(deps, tenant, versionId);
    if (isLeft(processed)) return processed;
    const { pipelineVersion } = processed.right;
    const stage = firstOpenStage(processed.right);
    if (stage === undefined) return refused('stage-not-retriable', 'All stages are done.');
    return right({
      stream: ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)),
      command: {
        type: 'RetryStage' as const,
        ...{ fileId, versionId, pipelineVersion, stage },
        requestedBy: principalId,
      },
      answer: { fileId, versionId, stage },
    });
  },
});
