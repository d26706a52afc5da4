/** The client_credentials grant (RFC 6749 section 4.4): a principal with its own credential, or the service principal of an application. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import { credentialPolicy, isForbidden } from '../../../../domain/identity/credential-policy/decider';
import { credentialPolicyStream } from '../../../../domain/identity/credential-policy/events';
import { type CredentialId, type PrincipalType, principalTypeNames } from '../../../../domain/identity/ids';
import { roleContext } from '../../../../domain/identity/policy/request';
import { principal } from '../../../../domain/identity/principal/decider';
import { principalStream } from '../../../../domain/identity/principal/events';
import type { RegisteredPrincipal } from '../../../../domain/identity/principal/state';
import { grantableScopes, type Scope } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import type { Log } from '../../../../infra/ports/runtime/log';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { derivedId } from '../../../kernel/deterministic-ids';
import { handle } from '../../../kernel/handle';
import type { HandleDeps } from '../../../kernel/handle-request';
import { loadStream } from '../../../kernel/load-stream';
import { redeemDelegation } from '../../delegations/redeem-delegation';
import { loadPrincipal, type PrincipalSource } from '../../principals/load-principal';
import { loadAudiences } from '../../protected-apis/load-registry';
import type { ApplicationClient, AuthenticatedClient } from '../client-authentication/authenticated-client';
import { type IssueDeps, type Issuer, issueTokens, tokenResponse } from './issue-tokens';
import { oauthError, oauthFailure } from './oauth-error';
import { parseScope } from './oauth-form';
import { resolveAudience, resolveScopes, type TokenRequest } from './token-request';

type ServiceDeps = IssueDeps & Issuer & PrincipalSource & HandleDeps & { readonly log?: Log };

/** Two weeks, like the console's warning. */
const expiryWarningSeconds = 14 * 86_400;

interface TokenSubject {
  readonly principalId: PrincipalId;
  readonly principal: RegisteredPrincipal;
  readonly credentialId: CredentialId | null;
  /** Maximum scopes. */
  readonly scopes: readonly Scope[];
  readonly notAfter: Instant | null;
}

const notAuthorized = () =>
  oauthFailure(
    'unauthorized_client',
    'The client may no longer act as the principal: replace the metadata of the client to allow it again.',
  );

/** Registrations from before principals knew their clients are recorded at the principal when they are first used. */
const adoptServiceClient = async (
  deps: ServiceDeps,
  { tenantId, clientId, applicationId, application: { scopes } }: ApplicationClient,
  { principalId, requestId }: { readonly principalId: PrincipalId; readonly requestId: string },
): Promise<Either<JsonAnswer, void>> => {
  const caller = { by: principalId, held: scopes };
  const adopted = await handle(deps, principal, {
    stream: principalStream(tenantId, principalId),
    command: { type: 'AuthorizeServiceClient', principalId, applicationId, scopes, ...caller },
    commandId: derivedId('adopt-service-client', tenantId, principalId, applicationId),
    tenant: tenantId,
    actor: clientId,
    correlationId: requestId,
    fingerprint: applicationId,
  });
  return isLeft(adopted) ? oauthFailure('temporarily_unavailable', adopted.left.detail) : right(undefined);
};

/** A secret of an application that acts as a principal is a static credential of that principal. */
const checkStaticSecret = async (
  deps: ServiceDeps,
  { tenantId, secret }: ApplicationClient,
  principalType: PrincipalType,
): Promise<Either<JsonAnswer, void>> => {
  if (secret === undefined) return right(undefined);
  const policy = await loadStream(deps, credentialPolicy, credentialPolicyStream(tenantId));
  if (isLeft(policy)) return oauthFailure('temporarily_unavailable', policy.left.detail);
  return isForbidden(policy.right, principalType, secret)
    ? oauthFailure(
        'unauthorized_client',
        `The tenant lets a secret for this type of principal (${principalTypeNames[principalType]}) last an hour at most.`,
      )
    : right(undefined);
};

const serviceSubjectOf = async (
  deps: ServiceDeps,
  client: ApplicationClient,
  requestId: string,
): Promise<Either<JsonAnswer, TokenSubject>> => {
  const { tenantId, applicationId, application } = client;
  const { servicePrincipalId: principalId, scopes } = application;
  if (principalId === null) return oauthFailure('unauthorized_client', 'The client has no principal of its own.');
  const state = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(state)) return oauthFailure('temporarily_unavailable', state.left.detail);
  const found = state.right;
  if (found.kind === 'none' || found.principalType === 'HUMAN' || found.status !== 'ACTIVE')
    return oauthFailure('invalid_grant', 'principal_not_active');
  const allowed = await checkStaticSecret(deps, client, found.principalType);
  if (isLeft(allowed)) return allowed;
  const authorized = found.serviceClients.get(applicationId);
  if (authorized === undefined && !found.admitsUnknownClients) return notAuthorized();
  const adopted =
    authorized === undefined ? await adoptServiceClient(deps, client, { principalId, requestId }) : right(undefined);
  if (isLeft(adopted)) return adopted;
  // OpenID Connect scopes are useless to services. Scopes that were withdrawn from the principal are gone from its clients, too.
  const own = scopes.filter((scope) => scope.includes(':') && (authorized ?? scopes).includes(scope));
  if (own.length === 0) return notAuthorized();
  return right({ principalId, principal: found, credentialId: null, scopes: own, notAfter: null });
};

const subjectOf = async (
  deps: ServiceDeps,
  client: AuthenticatedClient,
  requestId: string,
): Promise<Either<JsonAnswer, TokenSubject>> => {
  if (client.kind === 'application') return serviceSubjectOf(deps, client, requestId);
  const { tenantId, principalId, principal, credential } = client;
  const { credentialId, expiresAt: notAfter } = credential;
  // Machines have the scopes of their credential; a person's credential is limited by the person's authority.
  const scopes =
    principal.principalType === 'HUMAN' ? grantableScopes(credential.scopes, principal) : credential.scopes;
  if (notAfter !== null && notAfter < plusSeconds(deps.clock.now(), expiryWarningSeconds))
    deps.log?.warn({ tenantId, principalId, credentialId, expiresAt: notAfter }, 'a credential expires soon');
  return right({ principalId, principal, credentialId, scopes, notAfter });
};

/** The principal is an agent that acts for another one: a delegation that it was given, and the task of it. */
const redeemForTask = async (
  deps: ServiceDeps,
  { client, parameters, resources, binding, requestId, sourceIp }: TokenRequest,
  { requested, subject }: { readonly requested: readonly string[] | undefined; readonly subject: TokenSubject },
): Promise<JsonAnswer> => {
  const { delegation_id: delegationId, task_id: taskId } = parameters;
  if (delegationId === undefined || taskId === undefined)
    return oauthError('invalid_request', 'A delegation is redeemed by delegation_id and task_id.');
  const { tenantId, clientId } = client;
  const issued = await redeemDelegation(deps, {
    ...{ tenantId, delegationId, taskId, resources, binding, requestId, sourceIp },
    agent: { ...subject, clientId },
    requestedScopes: requested ?? null,
    tool: parameters.tool ?? null,
  });
  return isLeft(issued) ? issued.left : tokenResponse(issued.right, { binding });
};

const toolOf = ({ tool }: TokenRequest['parameters']) => (tool === undefined ? {} : { tool });

export const clientCredentials = async (deps: ServiceDeps, request: TokenRequest): Promise<JsonAnswer> => {
  const { client, binding, requestId, sourceIp } = request;
  const requested = parseScope(request.parameters.scope);
  if (isLeft(requested)) return requested.left;
  const subject = await subjectOf(deps, client, requestId);
  if (isLeft(subject)) return subject.left;
  const { delegation_id: delegationId, task_id: taskId } = request.parameters;
  if (delegationId !== undefined || taskId !== undefined)
    return redeemForTask(deps, request, { requested: requested.right, subject: subject.right });
  const { principalId, principal, credentialId, notAfter } = subject.right;
  const scopes = resolveScopes(requested.right, subject.right.scopes);
  if (isLeft(scopes)) return scopes.left;
  const audiences = await loadAudiences(deps, client.tenantId);
  if (isLeft(audiences)) return oauthError('temporarily_unavailable', audiences.left.detail);
  const home = { issuer: deps.issuer, audiences: audiences.right };
  const audience = resolveAudience(home, client, request.resources);
  if (isLeft(audience)) return audience.left;
  const { principalType, securityEpoch } = principal;
  const issued = await issueTokens(deps, {
    tenantId: client.tenantId,
    clientId: client.clientId,
    requestId,
    sourceIp,
    binding,
    principalId,
    principalType,
    securityEpoch,
    credentialId,
    notAfter,
    authContext: principal.roles.map(roleContext),
    scopes: scopes.right,
    audience: audience.right,
    ...toolOf(request.parameters),
    grantId: null,
    sessionId: null,
    authentication: null,
    nonce: null,
    idToken: null,
    clientChangedAt: client.kind === 'application' ? client.application.voidedAt : null,
  });
  return isLeft(issued) ? issued.left : tokenResponse(issued.right, { binding });
};
