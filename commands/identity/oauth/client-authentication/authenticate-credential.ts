/** Authenticates a principal by `<tenant>.<principal>` and secret. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { credentialPolicy, isForbidden } from '../../../../domain/identity/credential-policy/decider';
import { type CredentialPolicy, credentialPolicyStream } from '../../../../domain/identity/credential-policy/events';
import { ClientId, principalTypeNames } from '../../../../domain/identity/ids';
import { principal } from '../../../../domain/identity/principal/decider';
import { isLive, type PrincipalState } from '../../../../domain/identity/principal/state';
import type { EventStoreFault } from '../../../../infra/ports/event-store';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { loadStream } from '../../../kernel/load-stream';
import { type PrincipalClientName as CredentialName, parsePrincipalClientId } from '../../clients/client-id';
import { findCredential } from '../../clients/client-secret';
import { loadPrincipal, type PrincipalSource } from '../../principals/load-principal';
import { oauthFailure } from '../token/oauth-error';
import { type ClientProof, invalidClient, type PrincipalClient } from './authenticated-client';

const loadPrincipalState = async (
  source: PrincipalSource,
  id: CredentialName | undefined,
): Promise<Either<EventStoreFault, PrincipalState>> =>
  id === undefined ? right(principal.initial) : loadPrincipal(source, id);

const loadCredentialPolicy = async (
  source: PrincipalSource,
  id: CredentialName | undefined,
): Promise<Either<EventStoreFault, CredentialPolicy>> =>
  id === undefined
    ? right(credentialPolicy.initial)
    : loadStream(source, credentialPolicy, credentialPolicyStream(id.tenantId));

/** The same response and work for an unknown client, a wrong secret and an expired credential. */
export const authenticateCredential = async (
  source: PrincipalSource,
  { presented, at }: ClientProof,
): Promise<Either<JsonAnswer, PrincipalClient>> => {
  if (presented.kind !== 'secret')
    return invalidClient({ reason: 'A principal authenticates by a client secret, and none was sent.' });
  const { clientId, secret } = presented;
  const id = parsePrincipalClientId(clientId);
  const [state, policy] = await Promise.all([loadPrincipalState(source, id), loadCredentialPolicy(source, id)]);
  if (isLeft(state)) return oauthFailure('temporarily_unavailable', state.left.detail);
  if (isLeft(policy)) return oauthFailure('temporarily_unavailable', policy.left.detail);
  const found = state.right;
  const credential = findCredential(found.kind === 'none' ? [] : [...found.credentials.values()], secret);
  if (id === undefined || found.kind === 'none') return invalidClient({ reason: 'No principal has this client id.' });
  const { tenantId, principalId } = id;
  const named = { tenantId, principalId, clientId };
  if (credential === undefined) return invalidClient({ ...named, reason: 'The client secret is wrong.' });
  // Suspension revokes credentials; a caller with the valid secret learns why (specification, section 7).
  if (found.status !== 'ACTIVE') return oauthFailure('invalid_grant', 'principal_not_active');
  if (!isLive(credential, at))
    return invalidClient({ ...named, reason: 'The client secret has expired or was revoked.', isProven: true });
  if (isForbidden(policy.right, found.principalType, credential))
    return oauthFailure(
      'unauthorized_client',
      `The tenant lets a credential of this type of principal (${principalTypeNames[found.principalType]}) last an hour at most.`,
    );
  if (!ClientId.is(clientId)) return invalidClient({ reason: 'The client id is malformed.' });
  return right({ kind: 'principal', clientId, ...id, principal: found, credential });
};
