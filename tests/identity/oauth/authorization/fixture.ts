/** Authorization on loopback over twins, and what a client and a browser do there. */
import assert from 'node:assert/strict';
import type { ClientSource } from '../../../../commands/identity/clients/load-client';
import { discoveryRoutes, jwksRoute } from '../../../../commands/identity/oauth/discovery-endpoints';
import { tokenRoute } from '../../../../commands/identity/oauth/token/token-endpoint';
import { authorizationRoutes, grantRoutes } from '../../../../commands/identity/routes';
import type { TenantId } from '../../../../domain/kernel/ids';
import {
  createMemoryAttemptLimiter,
  createMemorySessionActivity,
} from '../../../../infra/adapters/redis/identity/memory-sign-in-stores';
import { accountCookies } from '../../../../infra/server/http/identity/account-cookies';
import { ownOrigins } from '../../../../infra/server/http/identity/own-origins';
import { bind } from '../../../../infra/server/http/routing/route';
import { startHttpService } from '../../../support/http/http-service';
import type { Fetch } from '../../../support/identity/scriptless-browser';
import { issuer, startIssuer } from '../token/fixture';
import { challenge, verifier } from './examples';
import { addPerson, type Browser, register, signIn } from './recorded-facts';

/** A list where a name is to come twice. */
type Pairs = Readonly<Record<string, string>> | [string, string][];

const encoded = (pairs: Pairs): string => new URLSearchParams(pairs).toString();

export const clientId = 'acme~app';
const redirectUri = 'https://app.example/callback';

/** A request that is in order; what is undefined is left out. */
export const authorizationRequest = (
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> => {
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'state-1',
    scope: 'openid principals:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const entries = Object.entries<string | undefined>(all);
  return Object.fromEntries(entries.filter((pair): pair is [string, string] => pair[1] !== undefined));
};

const startAuthorization = async (more: Pick<ClientSource, 'metadataDocuments'>) => {
  const around = await startIssuer();
  const now = (): number => Date.parse(around.deps.clock.now());
  const browsers = {
    cookies: accountCookies(issuer),
    origins: ownOrigins(issuer),
    live: createMemorySessionActivity(now),
  };
  const people = { attempts: createMemoryAttemptLimiter(now) };
  const deps = { ...around.deps, ...more, browsers, people, firstSignIn: { tenantId: 'acme' as TenantId } };
  const routes = [...authorizationRoutes(deps), ...grantRoutes(deps), bind(deps, tokenRoute), bind(deps, jwksRoute)];
  const service = await startHttpService([...routes, ...discoveryRoutes(deps, routes)]);
  const headersOf = (browser: Browser | undefined): Record<string, string> =>
    browser === undefined ? {} : { cookie: browser.cookie };
  const visit = (target: string, browser?: Browser): Promise<Response> =>
    service.call(target, { identity: 'anonymous', headers: headersOf(browser), redirect: 'manual' });
  const send = (target: string, pairs: Pairs, headers: Record<string, string> = {}): Promise<Response> =>
    service.call(target, {
      method: 'POST',
      identity: 'anonymous',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: encoded(pairs),
      redirect: 'manual',
    });
  const authorize = (pairs: Pairs, browser?: Browser): Promise<Response> =>
    visit(`/oauth/authorize?${encoded(pairs)}`, browser);
  const submit = (target: string, pairs: Pairs, browser?: Browser): Promise<Response> =>
    send(target, pairs, { ...headersOf(browser), origin: issuer });
  const redeem = (code: string, changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    send(
      '/oauth/token',
      {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...changes,
      },
      headers,
    );
  /** As the gateway forwards it; the caller knows the public address only. */
  const fetchIssuer: Fetch = (url, { method = 'GET', headers, body }) => {
    const { pathname, search } = new URL(url);
    const sent = body === undefined || body === null ? {} : { body: String(body) };
    const all = Object.fromEntries(new Headers(headers));
    return service.call(`${pathname}${search}`, {
      method,
      identity: 'anonymous',
      headers: all,
      redirect: 'manual',
      ...sent,
    });
  };
  const close = async (): Promise<void> => {
    await Promise.all([service.close(), around.close()]);
  };
  return { ...deps, wait: around.wait, log: service.log, visit, send, authorize, submit, redeem, fetchIssuer, close };
};

/** One application of ours, and a signed-in person with the scope `principals:read`. */
export const startWithSignedInPerson = async (more: Pick<ClientSource, 'metadataDocuments'> = {}) => {
  const stage = await startAuthorization(more);
  await register(stage, clientId, { firstParty: true });
  await addPerson(stage, 'acme.p-1', ['principals:read']);
  return { ...stage, browser: await signIn(stage, 'acme.p-1') };
};

/** Where a redirect leads. */
export const redirectTarget = (answer: Response): URL => {
  assert.equal(answer.status, 303, `no redirect but ${answer.status}`);
  return new URL(answer.headers.get('location') ?? '', issuer);
};

/** Where a page leads on by itself. */
export const refreshTarget = async (answer: Response): Promise<URL> => {
  const page = await answer.text();
  const [, target = ''] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(page) ?? [];
  assert.notEqual(target, '', page);
  return new URL(target.replaceAll('&amp;', '&'));
};

/** Parameters of the redirect to the client, without its issuer, which is checked. */
export const redirectParameters = (url: URL): Record<string, string> => {
  const { iss, ...rest } = Object.fromEntries(url.searchParams);
  assert.equal(iss, issuer);
  return rest;
};

export const errorOf = (url: URL): string | undefined => redirectParameters(url).error;

/** The code that a request leads straight to. */
export const codeOf = async (answer: Promise<Response>): Promise<string> => {
  const { code = '', ...rest } = redirectParameters(redirectTarget(await answer));
  assert.deepEqual(Object.keys(rest), ['state'], JSON.stringify(rest));
  return code;
};

export const field = (page: string, name: string): string => {
  const [, value = ''] = new RegExp(`name="${name}" value="([^"]*)"`).exec(page) ?? [];
  return value;
};

export const jsonOf = async (answer: Response | Promise<Response>): Promise<Record<string, unknown>> =>
  (await (await answer).json()) as Record<string, unknown>;

/** A page for a person, and nowhere else. */
export const assertPage = async (answer: Response, status: number): Promise<string> => {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('location'), null);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  return answer.text();
};
