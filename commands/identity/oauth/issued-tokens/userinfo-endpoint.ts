/** /oauth/userinfo (OpenID Connect Core section 5.3): claims about the person of an access token. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeJwt } from 'jose';
import { record, text } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { Clock } from '../../../../infra/ports/runtime/clock';
import type { JsonAnswer, RouteRequest } from '../../../../infra/server/http/routing/route';
import { route } from '../../../../infra/server/http/routing/route';
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
import { allowClientOrigin } from '../../clients/cross-origin';
import type { ClientSource } from '../../clients/load-client';
import { noStoreHeaders, oauthError } from '../token/oauth-error';
import { type Form, oauthForm } from '../token/oauth-form';
import { OAuthErrorAnswer } from '../token/token-endpoint';
import { loadPersonClaims } from './person-claims';
import { isActive } from './token-status';
import { type OwnTokenDeps, verifyOwnAccessToken } from './verify-own-token';

export interface UserinfoDeps extends OwnTokenDeps, ClientSource {
  readonly clock: Clock;
  readonly issuer: string;
  readonly proofs: DpopOptions;
}

type UserinfoRequest = RouteRequest<unknown, unknown, Form | undefined>;

const userinfoPath = '/oauth/userinfo';
const shape = /^(Bearer|DPoP) +([^\s]+) *$/i;

/** A token in the form (RFC 6750 section 2.2) is a Bearer; one that is bound to a key comes in the header. */
const authorizationOf = ({ headers, body }: UserinfoRequest): string | undefined =>
  headers.authorization ?? (typeof body?.access_token === 'string' ? `Bearer ${body.access_token}` : undefined);

/** A token is presented in one way, once (RFC 6750 section 2). */
const isPresentedTwice = ({ headers, body }: UserinfoRequest): boolean =>
  body?.access_token !== undefined && (headers.authorization !== undefined || typeof body.access_token !== 'string');

const presentedTokenOf = (
  { issuer, clock }: UserinfoDeps,
  method: string,
  request: UserinfoRequest,
): PresentedToken | AccessError => {
  const { headers, certificate } = request;
  const authorization = authorizationOf(request);
  if (authorization === undefined) return missingToken();
  const [, scheme, token] = shape.exec(authorization) ?? [];
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
  if (read.right === undefined) return left(invalidToken('The token is not valid, or has expired.', scheme));
  const claims = read.right;
  if (!claims.scopes.includes('openid')) return left(insufficientScope(['openid'], ['openid'], scheme));
  const alive = await isActive(deps, claims);
  if (isLeft(alive)) return left(unavailable('service-unavailable', alive.left.detail));
  if (!alive.right) return left(revokedToken('revoked', scheme));
  const stranger = await checkSenderConstraint(claims, sent, deps.proofs);
  return stranger === undefined ? right(claims) : left(stranger);
};

const loadUserinfo = async (
  deps: UserinfoDeps,
  { sub, tenant_id: tenantId, scopes }: AccessTokenClaims,
): Promise<Either<AccessError, object>> => {
  if (!PrincipalId.is(sub) || !TenantId.is(tenantId)) return right({ sub });
  const claims = await loadPersonClaims(deps, { tenantId, principalId: sub, scopes });
  return isLeft(claims)
    ? left(unavailable('service-unavailable', claims.left.detail))
    : right({ sub, ...claims.right });
};

/** RFC 6750: the challenge repeats the code. */
export const toJsonAnswer = ({ status, detail, headers }: AccessError): JsonAnswer => {
  const codes: { readonly [status: number]: string } = { 401: 'invalid_token', 403: 'insufficient_scope' };
  const error = codes[status] ?? 'temporarily_unavailable';
  return { status, body: { error, error_description: detail }, headers: { ...noStoreHeaders, ...headers } };
};

const handleUserinfo = async (deps: UserinfoDeps, method: string, request: UserinfoRequest): Promise<JsonAnswer> => {
  if (isPresentedTwice(request))
    return oauthError('invalid_request', 'Send the access token once: in the header, or in the form.');
  const sent = presentedTokenOf(deps, method, request);
  if ('code' in sent) return toJsonAnswer(sent);
  const claims = await verifiedClaimsOf(deps, sent);
  if (isLeft(claims)) return toJsonAnswer(claims.left);
  const info = await loadUserinfo(deps, claims.right);
  return isLeft(info) ? toJsonAnswer(info.left) : { status: 200, body: info.right, headers: noStoreHeaders };
};

/** Unverified: only selects the origins for CORS. */
const clientIdOfToken = (request: UserinfoRequest): string | undefined => {
  const [, , token = ''] = shape.exec(authorizationOf(request) ?? '') ?? [];
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

const UserinfoForm = oauthForm('UserinfoForm', {
  type: 'object',
  properties: { access_token: { type: 'string', description: 'The access token, unless it is in the header.' } },
});

const commonRoute = {
  path: userinfoPath,
  access: 'public',
  limitGroup: 'authorization',
  sensitive: false,
  summary: 'Get claims about the person of a token (UserInfo)',
} as const;

const description = 'With an access token that has the scope `openid`; `profile` and `email` add claims.';

const answers = {
  200: { description: 'Claims about the person.', body: Userinfo },
  401: refusal('The token is not accepted.'),
  403: refusal('The token lacks the scope.'),
  503: refusal('The state of the token is unavailable right now.'),
};

const handleFor = (method: 'GET' | 'POST') => async (deps: UserinfoDeps, request: UserinfoRequest) => {
  const answered = await handleUserinfo(deps, method, request);
  return allowClientOrigin(deps, answered, { origin: request.headers.origin, clientId: clientIdOfToken(request) });
};

export const userinfoRoute = route<UserinfoDeps>()({
  ...commonRoute,
  method: 'get',
  operation: 'getUserinfo',
  description,
  answers,
  handle: (deps, request) => handleFor('GET')(deps, { ...request, body: undefined }),
});

export const userinfoByPostRoute = route<UserinfoDeps>()({
  ...commonRoute,
  method: 'post',
  operation: 'postUserinfo',
  description: `${description} It may be in the form instead of the header (RFC 6750 section 2.2).`,
  body: UserinfoForm,
  bodyType: 'form',
  bodyRequired: false,
  answers: { ...answers, 400: refusal('The token was sent more than once.') },
  handle: handleFor('POST'),
});
