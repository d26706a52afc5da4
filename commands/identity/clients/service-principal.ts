/** The principal that a client acts as (`servicePrincipalId`): callers that control the client need all of that principal's authority. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ClientMetadata } from '../../../domain/identity/client/events';
import type { ApplicationId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { checkServiceClient, type ServiceClientRejection } from '../../../domain/identity/principal/service-clients';
import type { TenantId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { callerOf, type HandleDeps, type Refusal } from '../../kernel/handle-request';
import type { StreamSource } from '../../kernel/load-stream';
import { loadPrincipal } from '../principals/load-principal';
import { clientProblems, principalProblems } from '../problems';

/** Who changes a client, by which command. */
export interface ClientCaller {
  readonly tenantId: TenantId;
  readonly identity: Identity;
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

const refusedBy = (refused: Refusal<ServiceClientRejection | 'principal-unknown'>): Problem =>
  refused.code === 'principal-unknown' || refused.code === 'service-principal-human'
    ? noServicePrincipal
    : problemOf<string>(refused, principalProblems);

/** Left: the caller may not control a client that acts as that principal. */
export const checkServicePrincipal = async (
  source: StreamSource,
  { tenantId, identity }: Pick<ClientCaller, 'tenantId' | 'identity'>,
  { servicePrincipalId: principalId, scopes }: NewServiceClient['metadata'],
): Promise<Either<Problem, void>> => {
  if (principalId === null) return right(undefined);
  const found = await loadPrincipal(source, { tenantId, principalId });
  if (isLeft(found)) return left(problemOf(found.left, {}));
  if (found.right.kind === 'none') return left(noServicePrincipal);
  const act = { principalId, by: identity.principalId, held: identity.scopes, scopes };
  const refused = checkServiceClient(act, found.right);
  return refused === undefined || !isLeft(refused) ? right(undefined) : left(refusedBy(refused.left));
};

/**
 * Records at the principal that the client may act as it. Runs before the client is recorded: a crash in between leaves an authorization
 * without a client, never a client that its principal does not know. A retry finds the record, so the caller's authority is checked each time.
 */
export const authorizeServiceClient = async (
  deps: HandleDeps,
  caller: ClientCaller,
  { applicationId, metadata }: NewServiceClient,
): Promise<Either<Problem, void>> => {
  const { servicePrincipalId: principalId, scopes } = metadata;
  if (principalId === null) return right(undefined);
  const allowed = await checkServicePrincipal(deps, caller, metadata);
  if (isLeft(allowed)) return allowed;
  const { tenantId, identity, commandId } = caller;
  const by = { by: identity.principalId, held: identity.scopes };
  const authorized = await handle(deps, principal, {
    stream: principalStream(tenantId, principalId),
    command: { type: 'AuthorizeServiceClient', principalId, applicationId, scopes, ...by },
    commandId: derivedId('authorize-service-client', commandId),
    tenant: tenantId,
    actor: callerOf(identity),
    correlationId: commandId,
    fingerprint: [principalId, applicationId, scopes],
  });
  return isLeft(authorized) ? left(problemOf<string>(authorized.left, principalProblems)) : right(undefined);
};
