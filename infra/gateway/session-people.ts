/**
 * Tokens for a person in the console: code and PKCE, asked for in the browser's place with the cookie of the person's own session, each
 * time that one is needed. Nothing that outlives a token is kept here, and no refresh token exists that could be used twice.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { adminScopes } from '../../domain/identity/scopes';
import { decode, integer, record, text } from '../../domain/kernel/codec';
import type { AccountCookies } from '../http/account-cookies';
import type { CallerSigner } from '../http/caller-signer';
import { identityHeader, signCaller } from '../http/identity';
import { type Problem, problem } from '../http/problem';
import type { Identity } from '../http/route';
import type { Asking, Token } from './session-asking';
import type { Upstream } from './upstream';

export interface PeopleOptions {
  readonly commands: Upstream;
  readonly signer: CallerSigner;
  readonly cookies: AccountCookies;
  /** Where the gateway is, as browsers know it. */
  readonly publicUrl: string;
}

/** Undefined: nobody is signed in, or not any longer. */
type Found = Either<Problem, Token | undefined>;

const Issued = record('Issued', { access_token: text('AccessToken', { maxLength: 8_192 }), expires_in: integer(0) });
const limitMilliseconds = 10_000;
const away = () => left(problem('service-unavailable', 'The command API does not answer; try again.'));

/** Signing in again would change nothing, and lead in a circle. */
const mayNot = () => left(problem('forbidden', 'You are signed in, but the console is not for you: ask for a role.'));

const sha256 = (value: string): string => createHash('sha256').update(value).digest('base64url');

/** The tenant stands in the cookie; whether any of it is true is for the command API to say. */
const cookieParts = ({ cookies }: PeopleOptions, { cookie }: Asking) => {
  const [tenantId, sessionId] = (cookies.read(cookie, 'account') ?? '').split('.');
  return tenantId === undefined || sessionId === undefined ? undefined : { tenantId, sessionId };
};

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly identity?: Identity;
}

const ask = async ({ commands, signer, publicUrl }: PeopleOptions, asking: Asking, question: Question) => {
  const { method, path, body, identity } = question;
  const { requestId, address } = asking;
  const line = { method, target: path };
  const { protocol, host } = new URL(publicUrl);
  const headers = {
    ...question.headers,
    [identityHeader]: signCaller({ identity, requestId }, { signer, line, now: Date.now() }),
    ...{ 'x-request-id': requestId, 'x-forwarded-for': address },
    ...{ 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host },
  };
  const content = body === undefined ? {} : { body };
  return commands.pool.request({ method, path, headers, ...content, signal: AbortSignal.timeout(limitMilliseconds) });
};

interface Begun {
  readonly clientId: string;
  readonly callback: string;
  readonly verifier: string;
}

/** Undefined: nobody is signed in. */
const codeFor = async (
  options: PeopleOptions,
  asking: Asking,
  begun: Begun,
): Promise<Either<Problem, string | undefined>> => {
  const state = randomBytes(16).toString('base64url');
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: begun.clientId, redirect_uri: begun.callback, prompt: 'none', state },
    ...{ code_challenge: sha256(begun.verifier), code_challenge_method: 'S256' },
    scope: ['openid', 'account:read', 'account:write', ...adminScopes].join(' '),
  });
  const path = `/oauth/authorize?${query}`;
  const answer = await ask(options, asking, {
    method: 'GET',
    path,
    headers: { cookie: options.cookies.only(asking.cookie) ?? '' },
  });
  await answer.body.dump();
  if (answer.statusCode >= 500) return away();
  const { location } = answer.headers;
  if (typeof location !== 'string' || !location.startsWith(`${begun.callback}?`)) return mayNot();
  const { searchParams } = new URL(location);
  if (searchParams.get('error') === 'login_required') return right(undefined);
  const code = searchParams.get('code');
  return searchParams.get('state') !== state || code === null ? mayNot() : right(code);
};

const redeemed = async (
  options: PeopleOptions,
  asking: Asking,
  [begun, code]: readonly [Begun, string],
): Promise<Found> => {
  const { clientId, callback, verifier } = begun;
  const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: callback };
  const body = new URLSearchParams({ ...form, code_verifier: verifier }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await ask(options, asking, { method: 'POST', path: '/oauth/token', headers, body });
  const content: unknown = await answer.body.json();
  const issued = decode(Issued, content);
  if (answer.statusCode >= 500) return away();
  if (answer.statusCode !== 200 || isLeft(issued)) return mayNot();
  return right({ accessToken: issued.right.access_token, expiresInSeconds: issued.right.expires_in });
};

export const personsToken = async (options: PeopleOptions, asking: Asking): Promise<Found> => {
  const parts = cookieParts(options, asking);
  if (parts === undefined) return right(undefined);
  const callback = `${options.publicUrl.replace(/\/$/, '')}/session/callback`;
  const begun = { clientId: `${parts.tenantId}~console`, callback, verifier: randomBytes(32).toString('base64url') };
  try {
    const code = await codeFor(options, asking, begun);
    if (isLeft(code) || code.right === undefined) return isLeft(code) ? code : right(undefined);
    return await redeemed(options, asking, [begun, code.right]);
  } catch {
    return away();
  }
};

/** The person's own session ends with the console's, and with it every token that came of it. */
export const endPersons = async (
  options: PeopleOptions,
  asking: Asking,
  identity: Identity,
): Promise<Either<Problem, void>> => {
  const parts = cookieParts(options, asking);
  if (parts === undefined) return right(undefined);
  const path = `/v1/sessions/${encodeURIComponent(parts.sessionId)}/end`;
  const body = JSON.stringify({ reason: 'Signed out of the console.' });
  try {
    const question = { method: 'POST', path, headers: { 'content-type': 'application/json' }, body, identity } as const;
    const answer = await ask(options, asking, question);
    await answer.body.dump();
    return answer.statusCode >= 500 ? away() : right(undefined);
  } catch {
    return away();
  }
};
