/** A principal by a credential of its own: `<tenant>.<principal>` and a secret. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { credentialPolicy, isForbidden } from '../../../domain/identity/credential-policy/decider';
import type { CredentialPolicy } from '../../../domain/identity/credential-policy/events';
import { ClientId } from '../../../domain/identity/ids';
import { credentialPolicyStream } from '../../../domain/identity/people-streams';
import { principal } from '../../../domain/identity/principal/decider';
import { isLive, type PrincipalState } from '../../../domain/identity/principal/state';
import type { JsonAnswer } from '../../../infra/http/route';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream } from '../../kernel/load-stream';
import { type ClientId as CredentialName, readClientId } from '../principals/client-id';
import { credentialOf } from '../principals/client-secret';
import { loadPrincipal, type PrincipalSource } from '../principals/load-principal';
import { notAuthenticated, type PrincipalClient, type Told } from './client';
import { refuse } from './oauth-error';

const stateOf = async (
  source: PrincipalSource,
  id: CredentialName | undefined,
): Promise<Either<EventStoreFault, PrincipalState>> =>
  id === undefined ? right(principal.initial) : loadPrincipal(source, id);

const policyOf = async (
  source: PrincipalSource,
  id: CredentialName | undefined,
): Promise<Either<EventStoreFault, CredentialPolicy>> =>
  id === undefined
    ? right(credentialPolicy.initial)
    : loadStream(source, credentialPolicy, credentialPolicyStream(id.tenantId));

/** One answer, after the same work, for an unknown client, a wrong secret and a credential that is over. */
export const authenticateCredential = async (
  source: PrincipalSource,
  { presented, at }: Told,
): Promise<Either<JsonAnswer, PrincipalClient>> => {
  if (presented.kind !== 'secret') return notAuthenticated;
  const { clientId, secret } = presented;
  const id = readClientId(clientId);
  const [state, policy] = await Promise.all([stateOf(source, id), policyOf(source, id)]);
  if (isLeft(state)) return refuse('temporarily_unavailable', state.left.detail);
  if (isLeft(policy)) return refuse('temporarily_unavailable', policy.left.detail);
  const found = state.right;
  const credential = credentialOf(found.kind === 'none' ? [] : [...found.credentials.values()], secret);
  if (id === undefined || found.kind === 'none' || credential === undefined) return notAuthenticated;
  // Suspension revoked the credential, too; whoever has the secret is told why there is no token (specification, section 7).
  if (found.status !== 'ACTIVE') return refuse('invalid_grant', 'principal_not_active');
  if (!isLive(credential, at)) return notAuthenticated;
  if (isForbidden(policy.right, found.principalType, credential))
    return refuse('unauthorized_client', `The tenant allows a ${found.principalType} no credential of this kind.`);
  if (!ClientId.is(clientId)) return notAuthenticated;
  return right({ kind: 'principal', clientId, ...id, principal: found, credential });
};
