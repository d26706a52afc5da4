/** A principal by a credential of its own: `<tenant>.<principal>` and a secret. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { ClientId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import { isLive, type PrincipalState } from '../../../domain/identity/principal/state';
import type { JsonAnswer } from '../../../infra/http/route';
import type { EventStoreFault } from '../../../infra/ports/event-store';
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

/** One answer, after the same work, for an unknown client, a wrong secret and a credential that is over. */
export const authenticateCredential = async (
  source: PrincipalSource,
  { presented, at }: Told,
): Promise<Either<JsonAnswer, PrincipalClient>> => {
  if (presented.kind !== 'secret') return notAuthenticated;
  const { clientId, secret } = presented;
  const id = readClientId(clientId);
  const state = await stateOf(source, id);
  if (isLeft(state)) return refuse('temporarily_unavailable', state.left.detail);
  const found = state.right;
  const credential = credentialOf(found.kind === 'none' ? [] : [...found.credentials.values()], secret);
  if (id === undefined || found.kind === 'none' || credential === undefined || !isLive(credential, at))
    return notAuthenticated;
  if (found.status !== 'ACTIVE') return refuse('invalid_grant', 'principal_not_active');
  if (!ClientId.is(clientId)) return notAuthenticated;
  return right({ kind: 'principal', clientId, ...id, principal: found, credential });
};
