/** The pages on which people sign in. */

import { isLeft } from 'fp-ts/Either';
import { type BoundRoute, bind, type PageAnswer, type RouteRequest, route } from '../../../infra/http/route';
import { type Fields, LooseFields } from '../pages/form';
import { redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { currentSession } from '../sessions/current';
import { readCookieValue } from '../sessions/session-secret';
import { purposeOf, suffices } from './asked';
import { showCode, signInWithCode } from './code';
import type { Arrived, PeopleDeps } from './deps';
import { enrolPasskey, enrolPassword, showEnrolment } from './enrol';
import { showFirst, signInFirst } from './first';
import { signInWithPasskey } from './passkey';
import { signInWithPassword } from './password';
import { showRecovery, signInWithRecovery } from './recovery';
import { showSignIn } from './show';
import { comeBack, leaveForProvider } from './upstream';

type Show = (deps: PeopleDeps, arrived: Arrived, query: Fields) => Promise<PageAnswer>;
type Take = (deps: PeopleDeps, arrived: Arrived, form: Fields) => Promise<PageAnswer>;

const described = { answers: { 200: { description: 'A page.' } }, access: 'public', page: true } as const;

const nameOf = (method: string, path: string): string =>
  `${method}${path
    .split(/[/-]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}`;

/** A route that still waits for what it needs. */
type Waiting = (deps: PeopleDeps) => BoundRoute;

export const showing = (path: string, show: Show): Waiting => {
  const shown = route<PeopleDeps>()({
    ...described,
    method: 'get',
    path,
    operation: nameOf('show', path),
    summary: 'A page for people',
    query: LooseFields,
    handle: (deps, { headers, requestId, query }: RouteRequest<unknown, Fields, unknown>) =>
      show(deps, { headers, requestId }, query),
  });
  return (deps) => bind(deps, shown);
};

export const taking = (path: string, take: Take): Waiting => {
  const taken = route<PeopleDeps>()({
    ...described,
    method: 'post',
    path,
    operation: nameOf('take', path),
    summary: 'A form of a page for people',
    body: LooseFields,
    bodyType: 'form',
    handle: (deps, { headers, requestId, body }: RouteRequest<unknown, unknown, Fields>) =>
      take(deps, { headers, requestId }, body),
  });
  return (deps) => bind(deps, taken);
};

/** Of who was signed in here, also where that is over: they sign in again where they did before. */
const tenantBefore = ({ browsers: { cookies }, firstSignIn }: PeopleDeps, { headers }: Arrived) =>
  readCookieValue(cookies.read(headers.cookie, 'account') ?? '')?.tenantId ?? firstSignIn.tenantId;

/** Who is signed in well enough goes on at once. */
const begin: Show = async (deps, arrived, query) => {
  const purpose = purposeOf(query, tenantBefore(deps, arrived));
  const current = await currentSession(deps, arrived.headers);
  if (isLeft(current)) return problemPageOf(current.left);
  const { right: session } = current;
  if (session !== null && suffices(session, purpose, deps.clock.now())) return redirect(purpose.continue);
  return showSignIn(deps, arrived, [purpose]);
};

/** As it came: a provider signs nothing of it, but the library holds every parameter to what was asked. */
const back: Show = (deps, arrived, query) => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return comeBack(deps, arrived, [query, new URLSearchParams(given).toString()]);
};

const routes = [
  showing('/sign-in', begin),
  taking('/sign-in', signInWithPassword),
  taking('/sign-in/passkey', signInWithPasskey),
  showing('/sign-in/code', showCode),
  taking('/sign-in/code', signInWithCode),
  showing('/sign-in/recovery', showRecovery),
  taking('/sign-in/recovery', signInWithRecovery),
  showing('/sign-in/first', showFirst),
  taking('/sign-in/first', signInFirst),
  showing('/sign-in/enrol', showEnrolment),
  taking('/sign-in/enrol', enrolPassword),
  taking('/sign-in/enrol/passkey', enrolPasskey),
  taking('/sign-in/with', leaveForProvider),
  showing('/sign-in/back', back),
];

export const signInRoutes = (deps: PeopleDeps): readonly BoundRoute[] => routes.map((one) => one(deps));
