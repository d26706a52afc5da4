/**
 * Access tokens for a person in the console: authorization code and PKCE on behalf of the browser, with the cookie of the person's own
 * session, each time a token is needed. The gateway stores no refresh token, so none can be stolen or replayed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { adminScopes } from '../../../domain/identity/scopes';
import type { AccountCookies } from '../../server/http/identity/account-cookies';
import { type Problem, problem } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import type { IssuedToken, TokenRequestContext } from './command-api-client';
import { type CommandApiOptions, callCommandApi, requestToken } from './command-api-client';

export interface AccountSessionOptions extends CommandApiOptions {
  readonly cookies: AccountCookies;
}

/** A redirect to the sign-in would loop: the person is signed in already. */
const accessDenied = () =>
  left(problem('forbidden', 'You are signed in, but the console is not for you: ask for a role.'));

/** The parts of the account cookie, unverified: the command API checks them. */
const cookieParts = ({ cookies }: AccountSessionOptions, { cookie }: TokenRequestContext) => {
  const [tenantId, sessionId] = (cookies.read(cookie, 'account') ?? '').split('.');
  return tenantId === undefined || sessionId === undefined ? undefined : { tenantId, sessionId };
};

interface PendingAuthorization {
  readonly clientId: string;
  readonly callback: string;
  readonly verifier: string;
}

const scope = ['openid', 'account:read', 'account:write', ...adminScopes].join(' ');

/** Undefined: no person is signed in. */
const requestCode = async (
  options: AccountSessionOptions,
  asking: TokenRequestContext,
  { clientId, callback, verifier }: PendingAuthorization,
): Promise<Either<Problem, string | undefined>> => {
  const state = randomBytes(16).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    prompt: 'none',
    state,
    scope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const headers = { cookie: options.cookies.only(asking.cookie) ?? '' };
  const answer = await callCommandApi(options, asking, { method: 'GET', path: `/oauth/authorize?${query}`, headers });
  if (isLeft(answer)) return answer;
  const { location = '' } = answer.right;
  if (!location.startsWith(`${callback}?`)) return accessDenied();
  const { searchParams } = new URL(location);
  if (searchParams.get('error') === 'login_required') return right(undefined);
  const code = searchParams.get('code');
  return searchParams.get('state') !== state || code === null ? accessDenied() : right(code);
};

/** Undefined: no person is signed in, or the session ended. */
export const requestPersonToken = async (
  options: AccountSessionOptions,
  asking: TokenRequestContext,
): Promise<Either<Problem, IssuedToken | undefined>> => {
  const parts = cookieParts(options, asking);
  if (parts === undefined) return right(undefined);
  const callback = `${options.publicUrl.replace(/\/$/, '')}/session/callback`;
  const [clientId, verifier] = [`${parts.tenantId}~console`, randomBytes(32).toString('base64url')];
  const code = await requestCode(options, asking, { clientId, callback, verifier });
  if (isLeft(code) || code.right === undefined) return isLeft(code) ? code : right(undefined);
  const answer = await requestToken(options, asking, {
    grant_type: 'authorization_code',
    code: code.right,
    client_id: clientId,
    redirect_uri: callback,
    code_verifier: verifier,
  });
  if (isLeft(answer)) return answer;
  return answer.right.kind === 'issued' ? right(answer.right.token) : accessDenied();
};

/** Ends the person's own session, and with it every token issued for it. */
export const endAccountSession = async (
  options: AccountSessionOptions,
  asking: TokenRequestContext,
  identity: Identity,
): Promise<Either<Problem, void>> => {
  const parts = cookieParts(options, asking);
  if (parts === undefined) return right(undefined);
  const path = `/v1/sessions/${encodeURIComponent(parts.sessionId)}/end`;
  const body = JSON.stringify({ reason: 'Signed out of the console.' });
  const headers = { 'content-type': 'application/json' };
  const answer = await callCommandApi(options, asking, { method: 'POST', path, headers, body, identity });
  return isLeft(answer) ? answer : right(undefined);
};
