/** `/oauth/logout` (OpenID Connect RP-Initiated Logout): an application signs a person out here, and has them back. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type PageAnswer, type RouteRequest, route } from '../../../infra/http/route';
import type { ClientSource } from '../clients/load-client';
import { checkCsrf, csrfField, type Fields, LooseFields } from '../pages/form';
import { html } from '../pages/html';
import { onward, page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import type { SessionSource } from '../sessions/browsers';
import { type CurrentSession, currentSession } from '../sessions/current';
import { type EndDeps, type Ending, endSession } from '../sessions/end';
import type { ReadDeps } from './access-token-shown';
import type { Hint } from './id-token-hint';
import { type LogoutRequest, logoutRequest } from './logout-request';

export interface LogoutDeps extends ClientSource, EndDeps, Omit<SessionSource, 'kms'> {
  readonly kms: SessionSource['kms'] & ReadDeps['kms'];
  readonly issuer: string;
  readonly store: EndDeps['store'];
  readonly warm?: NonNullable<EndDeps['warm']>;
}

interface Arrived {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly requestId: string;
  readonly fields: Fields;
  readonly posted: boolean;
}

type Whose = Pick<Ending, 'tenantId' | 'principalId' | 'sessionId'>;

const path = '/oauth/logout';

/** Of a browser that showed none the cookie stays as it is: the form may have come from a page of somebody else. */
const signedOut = (
  deps: LogoutDeps,
  { after }: LogoutRequest,
  [{ posted }, session]: readonly [Arrived, CurrentSession | null],
): PageAnswer => {
  const cookies = session === null ? [] : [deps.browsers.cookies.clear('account')];
  if (after !== null) return posted ? onward(after, cookies) : redirect(after, cookies);
  return page({
    title: 'Signed out',
    cookies,
    body: html`<p>You are signed out.</p><p><a href="/sign-in">Sign in again</a></p>`,
  });
};

const ask = (session: CurrentSession, { again }: LogoutRequest): PageAnswer => {
  const fields = Object.entries(again).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
  return page({
    title: 'Sign out?',
    body: html`<p>An application asks to sign you out here.</p>
<form class="form" method="post" action="${path}">${csrfField(session)}${fields}
<button class="button primary" name="confirm" value="yes">Sign out</button></form><p><a href="/account">Stay signed in</a></p>`,
  });
};

/** What the application was told of the sign-in names the session that it may end. */
const namedBy = (hint: Hint | undefined): Whose | undefined =>
  hint === undefined || hint.sessionId === null ? undefined : { ...hint, sessionId: hint.sessionId };

const end = async (deps: LogoutDeps, whose: Whose, { requestId }: Arrived): Promise<Either<PageAnswer, void>> => {
  const { tenantId, principalId, sessionId } = whose;
  const how = { reason: 'Signed out by an application.', actor: principalId, requestId };
  const ended = await endSession(deps, { tenantId, principalId, sessionId, ...how });
  return isLeft(ended) ? left(problemPageOf(ended.left)) : right(undefined);
};

const confirmed = (deps: LogoutDeps, session: CurrentSession, { fields, headers, posted }: Arrived) => {
  if (!posted || fields.confirm !== 'yes') return undefined;
  return checkCsrf(fields, { token: session, headers, origins: deps.browsers.origins });
};

/** Whoever sits there is asked unless it is the sign-in that the application was told of: a mere link signs nobody out. */
const logout = async (deps: LogoutDeps, arrived: Arrived): Promise<PageAnswer> => {
  const request = await logoutRequest(deps, arrived.fields);
  if (isLeft(request)) return request.left;
  const current = await currentSession(deps, arrived.headers);
  if (isLeft(current)) return problemPageOf(current.left);
  const [session, named] = [current.right, namedBy(request.right.hint)];
  const agreed = session === null ? undefined : confirmed(deps, session, arrived);
  if (agreed !== undefined && isLeft(agreed)) return agreed.left;
  const same = session === null || session.sessionId === named?.sessionId;
  if (session !== null && !same && agreed === undefined) return ask(session, request.right);
  for (const whose of [named, session ?? undefined].filter((one) => one !== undefined)) {
    const ended = await end(deps, whose, arrived);
    if (isLeft(ended)) return ended.left;
  }
  return signedOut(deps, request.right, [arrived, session]);
};

const described = {
  ...{ path, access: 'public' as const, page: true as const, answers: { 200: { description: 'A page.' } } },
  summary: 'Sign somebody out for an application (OpenID Connect RP-Initiated Logout)',
};

export const logoutRoute = route<LogoutDeps>()({
  ...{ ...described, method: 'get', operation: 'logout', query: LooseFields },
  handle: (deps, { headers, requestId, query }: RouteRequest<unknown, Fields, unknown>) =>
    logout(deps, { headers, requestId, fields: query, posted: false }),
});

export const logoutByFormRoute = route<LogoutDeps>()({
  ...{ ...described, method: 'post', operation: 'logoutByForm', body: LooseFields, bodyType: 'form' },
  handle: (deps, { headers, requestId, body }: RouteRequest<unknown, unknown, Fields>) =>
    logout(deps, { headers, requestId, fields: body, posted: true }),
});
