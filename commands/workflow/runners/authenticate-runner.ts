/** Credentials of runners: the runner's name and 32 random bytes, of which the log has the SHA-256. */
import { hash, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { platformTenant } from '../../../domain/identity/ids';
import { TenantId } from '../../../domain/kernel/ids';
import { RunnerId } from '../../../domain/workflow/ids';
import { runner } from '../../../domain/workflow/runner/decider';
import { runnerStream } from '../../../domain/workflow/runner/events';
import type { ClaimingRunner } from '../../../infra/ports/workflow/job-claims';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { loadStream, type StreamSource } from '../../kernel/load-stream';

const prefix = 'septet-runner';

export const credentialOf = (tenantId: TenantId, runnerId: RunnerId, secret: string): string =>
  `${prefix}.${tenantId}.${runnerId}.${secret}`;
/** The credential is random, so that its digest needs no salt. */
export const credentialDigest = (credential: string): string => hash('sha256', credential, 'hex');

export interface AuthenticatedRunner extends ClaimingRunner {
  /** Whose stream it is registered in; the platform's for managed runners. */
  readonly owner: TenantId;
  readonly isDraining: boolean;
}

const unauthenticated = (detail: string): Either<Problem, never> =>
  left({ ...problem('unauthenticated', detail), headers: { 'WWW-Authenticate': 'Bearer' } });

export const authenticateRunner = async (
  source: StreamSource,
  authorization: string | undefined,
): Promise<Either<Problem, AuthenticatedRunner>> => {
  const [, credential = ''] = /^bearer +(\S{1,300}) *$/i.exec(authorization ?? '') ?? [];
  const [begins, owner, runnerId, secret, ...rest] = credential.split('.');
  if (begins !== prefix || !TenantId.is(owner) || !RunnerId.is(runnerId) || secret === undefined || rest.length > 0)
    return unauthenticated('Send the credential of the runner as a Bearer token.');
  const loaded = await loadStream(source, runner, runnerStream(owner, runnerId));
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const state = loaded.right;
  if (state.kind === 'none' || state.kind === 'removed') return unauthenticated('The runner is not registered.');
  const { credentialDigest: digest, type, labels, isolation } = state.registration;
  if (!timingSafeEqual(Buffer.from(digest), Buffer.from(credentialDigest(credential))))
    return unauthenticated('The credential belongs to another runner.');
  const tenantId = owner === platformTenant ? null : owner;
  return right({ owner, runnerId, tenantId, type, labels, isolation, isDraining: state.kind === 'draining' });
};
