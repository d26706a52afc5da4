/** A job that calls with its token: only while its attempt runs, under the epoch that the token names. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { JobId } from '../../../domain/workflow/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { artifactProblems } from '../../../infra/server/workflow/problems';
import type { WorkflowAdapters } from '../adapters';
import { type JobTokenClaims, verifyJobToken } from '../job-token';
import { isJobRunning } from '../running-job';

export interface JobCall {
  readonly authorization: string | undefined;
  readonly jobId: JobId;
  /** Undefined: that of the token. */
  readonly epoch?: number;
}

export const authenticateJob = async (
  adapters: WorkflowAdapters,
  { authorization, jobId, epoch }: JobCall,
): Promise<Either<Problem, JobTokenClaims>> => {
  const [, token = ''] = /^bearer +(\S{1,4000}) *$/i.exec(authorization ?? '') ?? [];
  const claims = await verifyJobToken(adapters, token, new Date(adapters.clock.now()));
  if (isLeft(claims))
    return left({
      ...problem('unauthenticated', 'The job token is not valid, or has expired.'),
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  if (claims.right.jobId !== jobId) return left(problem('forbidden', 'The token belongs to another job.'));
  const isRunning = await isJobRunning(adapters, claims.right);
  if (isLeft(isRunning)) return left(problemOf(isRunning.left, {}));
  const { epoch: own } = claims.right;
  if (isRunning.right && (epoch ?? own) === own) return right(claims.right);
  const detail = 'The job has a newer lease, or has ended.';
  return left(problemOf({ kind: 'rejection', code: 'stale-epoch', detail }, artifactProblems));
};
