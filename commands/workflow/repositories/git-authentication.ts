/** Who uses Git: HTTP Basic (RFC 7617) with an access token or a job's token as the password, or the token as a bearer. Any user name will do. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { GitLocation } from '../../../infra/ports/workflow/git-repositories';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { WorkflowAdapters } from '../adapters';
import { isJobToken, verifyJobToken } from '../job-token';
import { isJobRunning } from '../running-job';

export type GitScope = 'workflows:read' | 'workflows:write';

const challenge = { 'WWW-Authenticate': 'Basic realm="Septet", charset="UTF-8"' };

const unauthenticated = (detail: string): Either<Problem, never> =>
  left({ ...problem('unauthenticated', detail), headers: challenge });

const notFound = (): Either<Problem, never> => left(problem('not-found', 'There is no such repository.'));

const tokenOf = (authorization: string | undefined): string | undefined => {
  const [, scheme = '', value = ''] = /^(basic|bearer) +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  const password = credentials.slice(credentials.indexOf(':') + 1);
  return credentials.includes(':') && password !== '' ? password : undefined;
};

/** A job reads the repository of its run while it runs, and nothing else. */
const authenticateJob = async (
  adapters: WorkflowAdapters,
  token: string,
  { location, scope }: { readonly location: GitLocation; readonly scope: GitScope },
): Promise<Either<Problem, PrincipalId>> => {
  const claims = await verifyJobToken(adapters, token, new Date(adapters.clock.now()));
  if (isLeft(claims)) return unauthenticated('The job token is not valid, or has expired.');
  const { tenantId, repoId, jobId } = claims.right;
  if (tenantId !== location.tenantId || repoId !== location.repoId) return notFound();
  if (scope === 'workflows:write') return left(problem('forbidden', 'A job cannot push.'));
  const isRunning = await isJobRunning(adapters, claims.right);
  if (isLeft(isRunning)) return left(problemOf(isRunning.left, {}));
  if (!isRunning.right) return unauthenticated('The job of the token has ended, or has a newer lease.');
  return right(jobId as string as PrincipalId);
};

export const authenticateGit = async (
  adapters: WorkflowAdapters,
  authorization: string | undefined,
  request: { readonly location: GitLocation; readonly scope: GitScope },
): Promise<Either<Problem, PrincipalId>> => {
  const token = tokenOf(authorization);
  if (token === undefined) return unauthenticated('Send an access token as the password.');
  if (isJobToken(token)) return authenticateJob(adapters, token, request);
  const holder = await adapters.accessTokens.verify(token);
  if (isLeft(holder))
    return holder.left === 'invalid'
      ? unauthenticated('The access token is not valid, or has expired.')
      : left(problem('service-unavailable', 'Tokens cannot be checked now; try again.'));
  const { tenantId, principalId, scopes } = holder.right;
  if (tenantId !== request.location.tenantId) return notFound();
  return scopes.includes(request.scope)
    ? right(principalId)
    : left(problem('forbidden', `The token lacks the scope ${request.scope}.`));
};
