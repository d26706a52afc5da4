/** Who asks for a token: the principal and the credential that a client id and its secret stand for. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { principal } from '../../domain/identity/principal/decider';
import { type Credential, isLive, type PrincipalState, type Registered } from '../../domain/identity/principal/state';
import type { Instant } from '../../domain/kernel/codec';
import type { JsonAnswer } from '../../infra/http/route';
import type { EventStoreFault } from '../../infra/ports/event-store';
import { type ClientId, readClientId } from './client-id';
import { credentialOf } from './client-secret';
import { loadPrincipal, type PrincipalSource } from './load-principal';
import { refuse } from './oauth-error';
import type { TokenRequest } from './token-request';

export interface Client extends ClientId {
  readonly principal: Registered;
  readonly credential: Credential;
}

const stateOf = async (
  source: PrincipalSource,
  id: ClientId | undefined,
): Promise<Either<EventStoreFault, PrincipalState>> =>
  id === undefined ? right(principal.initial) : loadPrincipal(source, id);

/** One answer, after the same work, for an unknown client, a wrong secret and a credential that is over. */
export const authenticateClient = async (
  source: PrincipalSource,
  request: TokenRequest,
  at: Instant,
): Promise<Either<JsonAnswer, Client>> => {
  const id = readClientId(request.clientId);
  const state = await stateOf(source, id);
  if (isLeft(state)) return refuse('temporarily_unavailable', state.left.detail);
  const found = state.right;
  const credential = credentialOf(found.kind === 'none' ? [] : [...found.credentials.values()], request.clientSecret);
  if (id === undefined || found.kind === 'none' || credential === undefined || !isLive(credential, at))
    return refuse('invalid_client', 'The client is unknown, or its secret is not valid.');
  if (found.status !== 'ACTIVE') return refuse('invalid_grant', 'principal_not_active');
  return right({ ...id, principal: found, credential });
};
