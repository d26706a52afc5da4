/** `client_credentials` (RFC 6749 section 4.4): a principal by its own credential, or the service an application stands for. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { grantable } from '../../../domain/identity/authorization/allowed';
import type { Registered } from '../../../domain/identity/principal/state';
import type { CredentialId } from '../../../domain/identity/principal-id';
import type { Scope } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { JsonAnswer } from '../../../infra/http/route';
import type { Log } from '../../../infra/ports/log';
import { loadPrincipal, type PrincipalSource } from '../principals/load-principal';
import { tokenAnswer } from './answer';
import type { TokenCall } from './call';
import type { ApplicationClient, AuthenticatedClient } from './client';
import { scopesAsked } from './form';
import { type IssueDeps, type Issuer, issueTokens } from './issue';
import { refuse } from './oauth-error';
import { scopesGranted, targetsOf } from './targets';

type ServiceDeps = IssueDeps & Issuer & PrincipalSource & { readonly log?: Log };

/** Two weeks: as long as the console warns of a credential that is about to expire. */
const warnedBeforeSeconds = 14 * 86_400;

interface Subject {
  readonly principalId: PrincipalId;
  readonly principal: Registered;
  readonly credentialId: CredentialId | null;
  /** The most that can be asked for. */
  readonly scopes: readonly Scope[];
  readonly notAfter: Instant | null;
}

const serviceOf = async (
  deps: ServiceDeps,
  { tenantId, application }: ApplicationClient,
): Promise<Either<JsonAnswer, Subject>> => {
  const { servicePrincipalId: principalId, scopes } = application;
  if (principalId === null) return refuse('unauthorized_client', 'The client stands for nobody but people.');
  const state = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(state)) return refuse('temporarily_unavailable', state.left.detail);
  const principal = state.right;
  if (principal.kind === 'none' || principal.principalType === 'HUMAN' || principal.status !== 'ACTIVE')
    return refuse('invalid_grant', 'principal_not_active');
  // What is about a person is of no use to a service.
  const own = scopes.filter((scope) => scope.includes(':'));
  return right({ principalId, principal, credentialId: null, scopes: own, notAfter: null });
};

const subjectOf = async (deps: ServiceDeps, client: AuthenticatedClient): Promise<Either<JsonAnswer, Subject>> => {
  if (client.kind === 'application') return serviceOf(deps, client);
  const { tenantId, principalId, principal, credential } = client;
  const { credentialId, expiresAt: notAfter } = credential;
  // A machine holds its scopes by its credentials; a person's credential gives only what the person may still do.
  const scopes = principal.principalType === 'HUMAN' ? grantable(credential.scopes, principal) : credential.scopes;
  if (notAfter !== null && notAfter < plusSeconds(deps.clock.now(), warnedBeforeSeconds))
    deps.log?.warn({ tenantId, principalId, credentialId, expiresAt: notAfter }, 'a credential expires soon');
  return right({ principalId, principal, credentialId, scopes, notAfter });
};

export const clientCredentials = async (deps: ServiceDeps, call: TokenCall): Promise<JsonAnswer> => {
  const { client, binding, requestId, sourceIp } = call;
  const asked = scopesAsked(call.parameters.scope);
  if (isLeft(asked)) return asked.left;
  const subject = await subjectOf(deps, client);
  if (isLeft(subject)) return subject.left;
  const { principalId, principal, credentialId, notAfter } = subject.right;
  const scopes = scopesGranted(asked.right, subject.right.scopes);
  if (isLeft(scopes)) return scopes.left;
  const audience = targetsOf(deps, client, call.resources);
  if (isLeft(audience)) return audience.left;
  const { principalType, securityEpoch } = principal;
  const issued = await issueTokens(deps, {
    ...{ tenantId: client.tenantId, clientId: client.clientId, requestId, sourceIp, binding },
    ...{ principalId, principalType, securityEpoch, credentialId, notAfter },
    ...{ scopes: scopes.right, audience: audience.right },
    ...{ grantId: null, sessionId: null, authentication: null, nonce: null },
  });
  return isLeft(issued) ? issued.left : tokenAnswer(issued.right, { binding });
};
