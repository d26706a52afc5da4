/** What `/console/session` has to do with people's own sessions: it begins by one, and ends it. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type Problem, problem } from '../http/problem';
import type { Answer } from '../http/route';
import { authenticate } from './authenticate';
import { askingOf, type Identifying, type SessionDoor } from './session-caller';
import { sessionPath } from './session-codecs';
import type { Grants } from './session-grants';
import { endPersons, type PeopleOptions } from './session-people';
import { longestSessionMilliseconds } from './sessions';

export interface SessionRoutes extends Identifying {
  readonly browsers: SessionDoor;
  readonly grants: Grants;
  readonly people: PeopleOptions;
}

/** Where the console's button leads. */
export const beginPath = `${sessionPath}/begin`;

const redirectTo = (location: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  page: undefined,
  headers: { Location: location },
  cookies,
});

export interface Asked {
  readonly request: IncomingMessage;
  readonly requestId: string;
}

/** Of a person, their own session too: whoever leaves the console is to be signed out. */
export const endPersonsOwn = async (
  routes: SessionRoutes,
  { request, requestId }: Asked,
): Promise<Either<Problem, readonly string[]>> => {
  const { people, browsers } = routes;
  const id = browsers.cookie.read(request);
  const asking = askingOf(request, requestId);
  const found = id === undefined ? undefined : await browsers.sessions.find(id, asking);
  if (found === undefined || isLeft(found) || found.right.grant.kind !== 'person') return right([]);
  const identity = await authenticate(routes.authentication, `Bearer ${found.right.accessToken}`);
  const ended = isLeft(identity) ? right(undefined) : await endPersons(people, asking, identity.right);
  return isLeft(ended) ? ended : right([people.cookies.clear('account')]);
};

/** `/console/session/begin`: who is signed in on people's own pages is signed in to the console, all others are asked there. */
export const beginPersons = async (routes: SessionRoutes, { request, requestId }: Asked): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { ...problem('method-not-allowed', 'Use GET, HEAD.'), headers: { Allow: 'GET, HEAD' } };
  const asking = askingOf(request, requestId);
  const [tenantId] = (routes.people.cookies.read(asking.cookie, 'account') ?? '').split('.');
  const toSignIn = redirectTo(`/sign-in?continue=${encodeURIComponent(beginPath)}`);
  if (tenantId === undefined || tenantId === '') return toSignIn;
  const begun = await sessions.begin({ kind: 'person', clientId: `${tenantId}~console` }, asking);
  if (isLeft(begun)) return begun.left.problem.status === 401 ? toSignIn : begun.left;
  const before = cookie.read(request);
  if (before !== undefined) await sessions.end(before);
  return redirectTo('/console/', [cookie.write(begun.right.id, longestSessionMilliseconds / 1_000)]);
};
