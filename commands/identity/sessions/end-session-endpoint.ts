/** /oauth/logout (OpenID Connect RP-Initiated Logout). */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type PageAnswer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import type { ClientSource } from '../clients/load-client';
import type { HintDeps, IdTokenHint } from '../oauth/issued-tokens/verify-own-token';
import { checkCsrf, csrfField, type Fields, LooseFields } from '../pages/form';
import { html } from '../pages/html';
import { onward, page, problemPageOf, redirect } from '../pages/page';
import type { SessionSource } from './current-session';
import { type CurrentSession, currentSession } from './current-session';
import { type EndDeps, type EndSessionRequest, endSession } from './end-session';
import { type LogoutRequest, parseLogoutRequest } from './logout-request';

export interface LogoutDeps extends ClientSource, EndDeps, Omit<SessionSource, 'kms'> {
  readonly kms: SessionSource['kms'] & HintDeps['kms'];
  readonly issuer: string;
  readonly store: EndDeps['store'];
  readonly warm?: NonNullable<EndDeps['warm']>;
}

interface LogoutHttpRequest {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly requestId: string;
  readonly fields: Fields;
  readonly posted: boolean;
}

type SessionToEnd = Pick<EndSessionRequest, 'tenantId' | 'principalId' | 'sessionId'>;

const logoutPath = '/oauth/logout';

/** Without a presented cookie none is cleared: the form may come from another site. */
const signedOutPage = (
  deps: LogoutDeps,
  { after }: LogoutRequest,
  {
    httpRequest: { posted },
    session,
  }: { readonly httpRequest: LogoutHttpRequest; readonly session: CurrentSession | null },
): PageAnswer => {
  const cookies = session === null ? [] : [deps.browsers.cookies.clear('account')];
  if (after !== null) return posted ? onward(after, cookies) : redirect(after, cookies);
  return page({
    title: 'Signed out',
    cookies,
    body: html`<p>You are signed out.</p><p><a href="/sign-in">Sign in again</a></p>`,
  });
};

const confirmationPage = (session: CurrentSession, { again }: LogoutRequest): PageAnswer => {
  const fields = Object.entries(again).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
  return page({
    title: 'Sign out?',
    body: html`<p>An application asks to sign you out here.</p>
<form class="form" method="post" action="${logoutPath}">${csrfField(session)}${fields}
<button class="button primary" name="confirm" value="yes">Sign out</button></form><p><a href="/account">Stay signed in</a></p>`,
  });
};

/** The id_token_hint names the session that the application may end. */
const sessionFromHint = (hint: IdTokenHint | undefined): SessionToEnd | undefined =>
  hint === undefined || hint.sessionId === null ? undefined : { ...hint, sessionId: hint.sessionId };

const endHintedSession = async (
  deps: LogoutDeps,
  whose: SessionToEnd,
  { requestId }: LogoutHttpRequest,
): Promise<Either<PageAnswer, void>> => {
  const { tenantId, principalId, sessionId } = whose;
  const how = { reason: 'Signed out by an application.', actor: principalId, requestId };
  const ended = await endSession(deps, { tenantId, principalId, sessionId, ...how });
  return isLeft(ended) ? left(problemPageOf(ended.left)) : right(undefined);
};

const confirmLogout = (deps: LogoutDeps, session: CurrentSession, { fields, headers, posted }: LogoutHttpRequest) => {
  if (!posted || fields.confirm !== 'yes') return undefined;
  return checkCsrf(fields, { token: session, headers, browsers: deps.browsers });
};

const isPersonOf = (hint: IdTokenHint | undefined, { tenantId, principalId }: CurrentSession): boolean =>
  hint?.tenantId === tenantId && hint.principalId === principalId;

/** Requires confirmation unless the hint is of the person signed in: a mere link must not sign anyone out. */
const handleLogout = async (deps: LogoutDeps, httpRequest: LogoutHttpRequest): Promise<PageAnswer> => {
  const request = await parseLogoutRequest(deps, httpRequest.fields);
  if (isLeft(request)) return request.left;
  const current = await currentSession(deps, httpRequest.headers);
  if (isLeft(current)) return problemPageOf(current.left);
  const [session, named] = [current.right, sessionFromHint(request.right.hint)];
  const agreed = session === null ? undefined : confirmLogout(deps, session, httpRequest);
  if (agreed !== undefined && isLeft(agreed)) return agreed.left;
  const same = session === null || isPersonOf(request.right.hint, session);
  if (session !== null && !same && agreed === undefined) return confirmationPage(session, request.right);
  for (const whose of [named, session ?? undefined].filter((one) => one !== undefined)) {
    const ended = await endHintedSession(deps, whose, httpRequest);
    if (isLeft(ended)) return ended.left;
  }
  return signedOutPage(deps, request.right, { httpRequest, session });
};

const commonRoute = {
  path: logoutPath,
  access: 'public' as const,
  page: true as const,
  answers: { 200: { description: 'A page.' } },
  summary: 'Sign a person out for an application (OpenID Connect RP-Initiated Logout)',
};

export const logoutRoute = route<LogoutDeps>()({
  ...commonRoute,
  method: 'get',
  operation: 'logout',
  query: LooseFields,
  handle: (deps, { headers, requestId, query }: RouteRequest<unknown, Fields, unknown>) =>
    handleLogout(deps, { headers, requestId, fields: query, posted: false }),
});

export const logoutByFormRoute = route<LogoutDeps>()({
  ...commonRoute,
  method: 'post',
  operation: 'logoutByForm',
  body: LooseFields,
  bodyType: 'form',
  handle: (deps, { headers, requestId, body }: RouteRequest<unknown, unknown, Fields>) =>
    handleLogout(deps, { headers, requestId, fields: body, posted: true }),
});
