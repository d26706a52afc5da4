/** /oauth/userinfo (OpenID Connect Core section 5.3): claims about the person of an access token. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeJwt } from 'jose';
import { authenticator } from '../../../../domain/identity/authenticators/decider';
import { authenticatorsStream } from '../../../../domain/identity/streams';
import { record, text } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { JsonAnswer, RouteRequest } from '../../../../infra/http/routing/route';
import { route } from '../../../../infra/http/routing/route';
import type { Clock } from '../../../../infra/ports/runtime/clock';
import {
  type AccessError,
  type AccessTokenClaims,
  checkSenderConstraint,
  type DpopOptions,
  insufficientScope,
  invalidToken,
  missingToken,
  type PresentedToken,
  revokedToken,
  unavailable,
} from '../../../../packages/resource-server/src/verification/index';
import { loadStream } from '../../../kernel/load-stream';
import { allowClientOrigin } from '../../clients/cross-origin';
import type { ClientSource } from '../../clients/load-client';
import { noStoreHeaders } from '../token/oauth-error';
import { OAuthErrorAnswer } from '../token/token-endpoint';
import { isActive } from './token-status';
import { type OwnTokenDeps, verifyOwnAccessToken } from './verify-own-token';

export interface UserinfoDeps extends OwnTokenDeps, ClientSource {
  readonly clock: Clock;
  readonly issuer: string;
  readonly proofs: DpopOptions;
}

type UserinfoRequest = RouteRequest<unknown, unknown, unknown>;

const userinfoPath = '/oauth/userinfo';
const shape = /^(Bearer|DPoP) +([^\s]+) *$/i;

const presentedTokenOf = (
  { issuer, clock }: UserinfoDeps,
  method: string,
  { headers, certificate }: UserinfoRequest,
): PresentedToken | AccessError => {
  if (headers.authorization === undefined) return missingToken();
  const [, scheme, token] = shape.exec(headers.authorization) ?? [];
  if (scheme === undefined || token === undefined)
    return invalidToken('Send the access token as a Bearer, or with a DPoP proof.');
  return {
    scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer',
    token,
    method,
    url: `${issuer}${userinfoPath}`,
    proof: headers.dpop,
    certificate: certificate?.thumbprint,
    now: Date.parse(clock.now()),
  };
};

/** The access check of the gateway, in its order, against the log. */
const verifiedClaimsOf = async (
  deps: UserinfoDeps,
  sent: PresentedToken,
): Promise<Either<AccessError, AccessTokenClaims>> => {
  const { scheme, token } = sent;
  const read = await verifyOwnAccessToken(deps, token, deps.clock.now());
  if (isLeft(read)) return left(unavailable('service-unavailable', read.left.detail));
  if (read.right === undefined) return left(invalidToken('The token is not valid, or no longer valid.', scheme));
  const claims = read.right;
  if (!claims.scopes.includes('openid')) return left(insufficientScope(['openid'], ['openid'], scheme));
  const alive = await isActive(deps, claims);
  if (isLeft(alive)) return left(unavailable('service-unavailable', alive.left.detail));
  if (!alive.right) return left(revokedToken('revoked', scheme));
  const stranger = await checkSenderConstraint(claims, sent, deps.proofs);
  return stranger === undefined ? right(claims) : left(stranger);
};

const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const loadUserinfo = async (
  deps: UserinfoDeps,
  { sub, tenant_id: tenantId, scopes }: AccessTokenClaims,
): Promise<Either<AccessError, object>> => {
  if (!PrincipalId.is(sub) || !TenantId.is(tenantId)) return right({ sub });
  const loaded = await loadStream(deps, authenticator, authenticatorsStream(tenantId, sub));
  if (isLeft(loaded)) return left(unavailable('service-unavailable', loaded.left.detail));
  const { profile } = loaded.right;
  const named = scopes.includes('profile')
    ? { name: textOrUndefined(profile?.displayName), preferred_username: textOrUndefined(profile?.login) }
    : {};
  // The e-mail address is not verified.
  const email = scopes.includes('email') ? textOrUndefined(profile?.email) : undefined;
  return right({ sub, ...named, ...(email === undefined ? {} : { email, email_verified: false }) });
};

/** RFC 6750: the challenge repeats the code. */
export const toJsonAnswer = ({ status, detail, headers }: AccessError): JsonAnswer => {
  const codes: { readonly [status: number]: string } = { 401: 'invalid_token', 403: 'insufficient_scope' };
  const error = codes[status] ?? 'temporarily_unavailable';
  return { status, body: { error, error_description: detail }, headers: { ...noStoreHeaders, ...headers } };
};

const handleUserinfo = async (deps: UserinfoDeps, method: string, request: UserinfoRequest): Promise<JsonAnswer> => {
  const sent = presentedTokenOf(deps, method, request);
  if ('code' in sent) return toJsonAnswer(sent);
  const claims = await verifiedClaimsOf(deps, sent);
  if (isLeft(claims)) return toJsonAnswer(claims.left);
  const info = await loadUserinfo(deps, claims.right);
  return isLeft(info) ? toJsonAnswer(info.left) : { status: 200, body: info.right, headers: noStoreHeaders };
};

/** Unverified: only selects the origins for CORS. */
const clientIdOfToken = ({ headers }: UserinfoRequest): string | undefined => {
  const [, , token = ''] = shape.exec(headers.authorization ?? '') ?? [];
  try {
    const { client_id: clientId } = decodeJwt(token);
    return typeof clientId === 'string' ? clientId : undefined;
  } catch {
    return undefined;
  }
};

const userinfoText = text('Word', { maxLength: 320 });
const Userinfo = record(
  'Userinfo',
  { sub: userinfoText },
  { name: userinfoText, preferred_username: userinfoText, email: userinfoText, email_verified: t.boolean },
);
const refusal = (description: string) => ({ description, body: OAuthErrorAnswer });

const userinfoRouteFor = (method: 'get' | 'post', operation: string) =>
  route<UserinfoDeps>()({
    method,
    path: userinfoPath,
    operation,
    access: 'public' as const,
    limitGroup: 'authorization' as const,
    sensitive: false,
    summary: 'Get claims about the person of a token (UserInfo)',
    description: 'With an access token that has the scope `openid`; `profile` and `email` add claims.',
    answers: {
      200: { description: 'Claims about the person.', body: Userinfo },
      401: refusal('The token is not accepted.'),
      403: refusal('The token lacks the scope.'),
      503: refusal('The state of the token is unavailable right now.'),
    },
    handle: async (deps, request) => {
      const answered = await handleUserinfo(deps, method.toUpperCase(), request);
      return allowClientOrigin(deps, answered, { origin: request.headers.origin, clientId: clientIdOfToken(request) });
    },
  });

export const userinfoRoute = userinfoRouteFor('get', 'getUserinfo');
export const userinfoByPostRoute = userinfoRouteFor('post', 'postUserinfo');
