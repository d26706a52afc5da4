/** What `/console/session` has to do with people's own sessions: it begins by one, and ends it. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { hasConsoleRights } from '../../../domain/identity/scopes';
import { beginConsolePath } from '../../server/http/identity/console-paths';
import { type Problem, problem } from '../../server/http/problem';
import type { Answer } from '../../server/http/routing/route';
import { authenticateStoredToken } from '../authentication/authenticate';
import { type AccountSessionOptions, endAccountSession } from './authorization-code-client';
import { type BffSessions, type IdentifyOptions, tokenRequestContextOf } from './session-authentication';
import { maxSessionMilliseconds } from './session-store';
import type { TokenClient } from './token-client';

export interface SessionEndpointDeps extends IdentifyOptions {
  readonly browsers: BffSessions;
  readonly grants: TokenClient;
  readonly people: AccountSessionOptions;
}

const redirectTo = (location: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  page: undefined,
  headers: { Location: location },
  cookies,
});

export interface SessionRequest {
  readonly request: IncomingMessage;
  readonly requestId: string;
}

/** Signing out of the console also ends the person's own session. */
export const endOwnAccountSession = async (
  routes: SessionEndpointDeps,
  { request, requestId }: SessionRequest,
): Promise<Either<Problem, readonly string[]>> => {
  const { people, browsers } = routes;
  const id = browsers.cookie.read(request);
  const asking = tokenRequestContextOf(request, requestId);
  const found = id === undefined ? undefined : await browsers.sessions.find(id, asking);
  if (found === undefined || isLeft(found) || found.right.grant.kind !== 'person') return right([]);
  const identity = await authenticateStoredToken(routes.authentication, `Bearer ${found.right.accessToken}`);
  const ended = isLeft(identity) ? right(undefined) : await endAccountSession(people, asking, identity.right);
  return isLeft(ended) ? ended : right([people.cookies.clear('account')]);
};

const startPage = '/console/';
const consolePage = /^\/console\/(?!session(?:\/|$))/;

/** The page of the console that `continue` names; everything else leads to its start. */
const requestedPage = ({ url = '' }: IncomingMessage): string => {
  const base = 'http://console.invalid';
  const wanted = new URL(url, base).searchParams.get('continue') ?? startPage;
  const page = URL.canParse(wanted, base) ? new URL(wanted, base) : undefined;
  return page?.origin === base && consolePage.test(page.pathname) ? `${page.pathname}${page.search}` : startPage;
};

const signInPathFor = (page: string): string => {
  const begin =
    page === startPage ? beginConsolePath : `${beginConsolePath}?${new URLSearchParams({ continue: page })}`;
  return `/sign-in?${new URLSearchParams({ continue: begin })}`;
};

/** Signs in to the console a person with an account session, and redirects to the requested page; redirects others to the sign-in page. */
export const beginFromAccountSession = async (
  routes: SessionEndpointDeps,
  { request, requestId }: SessionRequest,
): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { ...problem('method-not-allowed', 'Use GET, HEAD.'), headers: { Allow: 'GET, HEAD' } };
  const asking = tokenRequestContextOf(request, requestId);
  const [tenantId] = (routes.people.cookies.read(asking.cookie, 'account') ?? '').split('.');
  const page = requestedPage(request);
  const toSignIn = redirectTo(signInPathFor(page));
  if (tenantId === undefined || tenantId === '') return toSignIn;
  const pending = await sessions.begin({ kind: 'person', clientId: `${tenantId}~console` }, asking);
  if (isLeft(pending)) return pending.left.problem.status === 401 ? toSignIn : pending.left;
  const before = cookie.read(request);
  if (before !== undefined) await sessions.end(before);
  const identity = await authenticateStoredToken(routes.authentication, `Bearer ${pending.right.session.accessToken}`);
  if (!isLeft(identity) && !hasConsoleRights(identity.right.scopes)) {
    await sessions.end(pending.right.id);
    return redirectTo('/account');
  }
  return redirectTo(page, [cookie.write(pending.right.id, maxSessionMilliseconds / 1_000)]);
};
