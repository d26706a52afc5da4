/** The principal that a client acts as (`servicePrincipalId`): whoever controls the client needs all of that principal's authority. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ClientMetadata } from '../../../domain/identity/client/events';
import type { Application } from '../../../domain/identity/client/state';
import type { ApplicationId } from '../../../domain/identity/ids';
import { checkHeldAuthority } from '../../../domain/identity/principal/authority-check';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/streams';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/http/problem';
import type { Identity } from '../../../infra/http/routing/route';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import type { StreamSource } from '../../kernel/load-stream';
import { loadPrincipal } from '../principals/load-principal';
import { clientProblems, principalProblems } from '../problems';

/** Who changes a client, by which command. */
export interface ClientCaller {
  readonly tenantId: TenantId;
  readonly identity: Identity;
  readonly at: Instant;
  readonly commandId: string;
}

export const serviceClientProblems = {
  'principal-compromised': principalProblems['principal-compromised'],
  'principal-suspended': principalProblems['principal-suspended'],
} as const;

const noServicePrincipal: Problem = problemOf(
  {
    kind: 'rejection',
    code: 'client-metadata-invalid',
    detail: 'servicePrincipalId names no pipeline and no agent of this tenant.',
  },
  clientProblems,
);

/** Left: the caller may make no client that acts as a principal. */
export const requireCredentialScope = ({ identity }: Pick<ClientCaller, 'identity'>): Either<Problem, void> =>
  identity.scopes.includes('credentials:write')
    ? right(undefined)
    : left(problem('forbidden', 'A client that stands for a principal needs the scope credentials:write.'));

interface NewServiceClient {
  readonly applicationId: ApplicationId;
  readonly metadata: Pick<ClientMetadata, 'servicePrincipalId' | 'scopes'>;
}

/**
 * Records at the principal that the client may act as it. Runs before the client is recorded: a crash in between leaves an authorization
 * without a client, never a client that its principal does not know.
 */
export const authorizeServiceClient = async (
  deps: HandleDeps,
  { tenantId, identity, at, commandId }: ClientCaller,
  { applicationId, metadata: { servicePrincipalId: principalId, scopes } }: NewServiceClient,
): Promise<Either<Problem, void>> => {
  if (principalId === null) return right(undefined);
  const caller = { by: identity.principalId, held: identity.scopes, at };
  const authorized = await handle(deps, principal, {
    stream: principalStream(tenantId, principalId),
    command: { type: 'AuthorizeServiceClient', principalId, applicationId, scopes, ...caller },
    commandId: derivedId('authorize-service-client', commandId),
    tenant: tenantId,
    actor: identity.principalId,
    correlationId: commandId,
    fingerprint: [principalId, applicationId, scopes],
  });
  if (!isLeft(authorized)) return right(undefined);
  const refused = authorized.left;
  return refused.code === 'principal-unknown' || refused.code === 'service-principal-human'
    ? left(noServicePrincipal)
    : left(problemOf(refused, principalProblems));
};

/** Left: the caller lacks authority of the principal that the client acts as already. */
export const checkServicePrincipal = async (
  source: StreamSource,
  { tenantId, identity, at }: Omit<ClientCaller, 'commandId'>,
  { servicePrincipalId: principalId, scopes }: Pick<Application, 'servicePrincipalId' | 'scopes'>,
): Promise<Either<Problem, void>> => {
  if (principalId === null) return right(undefined);
  const found = await loadPrincipal(source, { tenantId, principalId });
  if (isLeft(found)) return left(problemOf(found.left, {}));
  if (found.right.kind === 'none') return right(undefined);
  const act = { principalId, by: identity.principalId, held: identity.scopes, scopes, at };
  const refused = checkHeldAuthority(act, found.right);
  return refused === undefined || !isLeft(refused)
    ? right(undefined)
    : left(problemOf(refused.left, principalProblems));
};
