/** `/oauth/userinfo` (OpenID Connect Core section 5.3): what an access token lets its holder know of a person. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeJwt } from 'jose';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { authenticatorsStream } from '../../../domain/identity/people-streams';
import { record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { JsonAnswer, RouteRequest } from '../../../infra/http/route';
import { route } from '../../../infra/http/route';
import type { Clock } from '../../../infra/ports/clock';
import {
  type AccessTokenClaims,
  insufficientScope,
  invalidToken,
  missingToken,
  type ProofRules,
  type Refusal,
  revokedToken,
  type Sent,
  unavailable,
  unbound,
} from '../../../packages/resource-server/src/verification/index';
import { loadStream } from '../../kernel/load-stream';
import { readableByClient } from '../clients/cross-origin';
import type { ClientSource } from '../clients/load-client';
import { uncached } from '../token/oauth-error';
import { OAuthRefusal } from '../token/token';
import { type ReadDeps, readAccessToken } from './access-token-shown';
import { isAlive } from './alive';

export interface UserinfoDeps extends ReadDeps, ClientSource {
  readonly clock: Clock;
  readonly issuer: string;
  readonly proofs: ProofRules;
}

type Asked = RouteRequest<unknown, unknown, unknown>;

const path = '/oauth/userinfo';
const shape = /^(Bearer|DPoP) +([^\s]+) *$/i;

const sentBy = ({ issuer, clock }: UserinfoDeps, method: string, { headers, certificate }: Asked): Sent | Refusal => {
  if (headers.authorization === undefined) return missingToken();
  const [, scheme, token] = shape.exec(headers.authorization) ?? [];
  if (scheme === undefined || token === undefined)
    return invalidToken('Send the access token as a Bearer, or with a DPoP proof.');
  return {
    ...{ scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token, method, url: `${issuer}${path}` },
    ...{ proof: headers.dpop, certificate: certificate?.thumbprint, now: Date.parse(clock.now()) },
  };
};

/** The same questions as at the gateway, in its order, but of the log. */
const claimsOf = async (deps: UserinfoDeps, sent: Sent): Promise<Either<Refusal, AccessTokenClaims>> => {
  const { scheme, token } = sent;
  const read = await readAccessToken(deps, token, deps.clock.now());
  if (isLeft(read)) return left(unavailable('service-unavailable', read.left.detail));
  if (read.right === undefined) return left(invalidToken('The token is not valid, or not any longer.', scheme));
  const claims = read.right;
  if (!claims.scopes.includes('openid')) return left(insufficientScope(['openid'], ['openid'], scheme));
  const alive = await isAlive(deps, claims);
  if (isLeft(alive)) return left(unavailable('service-unavailable', alive.left.detail));
  if (!alive.right) return left(revokedToken('revoked', scheme));
  const stranger = await unbound(claims, sent, deps.proofs);
  return stranger === undefined ? right(claims) : left(stranger);
};

const shown = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const infoOf = async (
  deps: UserinfoDeps,
  { sub, tenant_id: tenantId, scopes }: AccessTokenClaims,
): Promise<Either<Refusal, object>> => {
  if (!PrincipalId.is(sub) || !TenantId.is(tenantId)) return right({ sub });
  const loaded = await loadStream(deps, authenticator, authenticatorsStream(tenantId, sub));
  if (isLeft(loaded)) return left(unavailable('service-unavailable', loaded.left.detail));
  const { profile } = loaded.right;
  const named = scopes.includes('profile')
    ? { name: shown(profile?.displayName), preferred_username: shown(profile?.login) }
    : {};
  // That anybody reads mail there was not tried.
  const email = scopes.includes('email') ? shown(profile?.email) : undefined;
  return right({ sub, ...named, ...(email === undefined ? {} : { email, email_verified: false }) });
};

/** In the shape of RFC 6750, whose codes stand in the challenge too. */
export const refusedBy = ({ status, detail, headers }: Refusal): JsonAnswer => {
  const codes: { readonly [status: number]: string } = { 401: 'invalid_token', 403: 'insufficient_scope' };
  const error = codes[status] ?? 'temporarily_unavailable';
  return { status, body: { error, error_description: detail }, headers: { ...uncached, ...headers } };
};

const answer = async (deps: UserinfoDeps, method: string, asked: Asked): Promise<JsonAnswer> => {
  const sent = sentBy(deps, method, asked);
  if ('code' in sent) return refusedBy(sent);
  const claims = await claimsOf(deps, sent);
  if (isLeft(claims)) return refusedBy(claims.left);
  const info = await infoOf(deps, claims.right);
  return isLeft(info) ? refusedBy(info.left) : { status: 200, body: info.right, headers: uncached };
};

/** Nothing is believed of the token here: it only says which origins may read the answer. */
const clientOfToken = ({ headers }: Asked): string | undefined => {
  const [, , token = ''] = shape.exec(headers.authorization ?? '') ?? [];
  try {
    const { client_id: clientId } = decodeJwt(token);
    return typeof clientId === 'string' ? clientId : undefined;
  } catch {
    return undefined;
  }
};

const word = text('Word', { maxLength: 320 });
const Userinfo = record(
  'Userinfo',
  { sub: word },
  { name: word, preferred_username: word, email: word, email_verified: t.boolean },
);
const refusal = (description: string) => ({ description, body: OAuthRefusal });

const userinfo = (method: 'get' | 'post', operation: string) =>
  route<UserinfoDeps>()({
    ...{ method, path, operation, access: 'public' as const, limitGroup: 'authorization' as const },
    sensitive: false,
    summary: 'Who the person is that a token is for',
    description: 'With an access token that has the scope `openid`; `profile` and `email` say what is told besides.',
    answers: {
      200: { description: 'Claims about the person.', body: Userinfo },
      401: refusal('The token is not accepted.'),
      403: refusal('The token lacks the scope.'),
      503: refusal('It cannot be known right now.'),
    },
    handle: async (deps, asked) => {
      const answered = await answer(deps, method.toUpperCase(), asked);
      return readableByClient(deps, answered, { origin: asked.headers.origin, clientId: clientOfToken(asked) });
    },
  });

export const userinfoRoute = userinfo('get', 'getUserinfo');
export const userinfoByPostRoute = userinfo('post', 'postUserinfo');
