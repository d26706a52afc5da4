/** Forms of `/account` that end sessions, this one included. */
import { isLeft } from 'fp-ts/Either';
import { SessionId } from '../../../domain/identity/ids';
import type { PageAnswer } from '../../../infra/http/route';
import { csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import type { CurrentSession } from '../sessions/current';
import { endSession, endSessions } from '../sessions/end';
import { signInPath } from '../sign-in/asked';
import type { Arrived, PeopleDeps } from '../sign-in/deps';
import { acting, signedIn } from './acting';

const endingOf = ({ tenantId, principalId }: CurrentSession, { requestId }: Arrived, reason: string) => ({
  ...{ tenantId, principalId, reason, requestId },
  actor: principalId,
});

const signedOut = ({ browsers, firstSignIn }: PeopleDeps, { tenantId }: CurrentSession): PageAnswer =>
  redirect(signInPath(tenantId, firstSignIn.tenantId), [browsers.cookies.clear('account')]);

/** Only those of whoever is signed in: another's is not in their list. */
export const endOne = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const session = await acting(deps, arrived, [fields, '/account', false]);
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const open = await deps.browsers.live.of(`${tenantId}.${principalId}`);
  if (isLeft(open) || !SessionId.is(fields.session) || !open.right.includes(fields.session))
    return redirect('/account');
  const ending = { ...endingOf(session.right, arrived, 'Ended by its owner.'), sessionId: fields.session };
  const ended = await endSession(deps, ending);
  return isLeft(ended) ? problemPageOf(ended.left) : redirect('/account');
};

export const endAll = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const session = await acting(deps, arrived, [fields, '/account', false]);
  if (isLeft(session)) return session.left;
  const ended = await endSessions(deps, endingOf(session.right, arrived, 'Signed out everywhere.'));
  return isLeft(ended) ? problemPageOf(ended.left) : signedOut(deps, session.right);
};

/** Asked for once more: a link to this page from elsewhere must not sign anybody out. */
export const showSignOut = async (deps: PeopleDeps, arrived: Arrived): Promise<PageAnswer> => {
  const session = await signedIn(deps, arrived, ['/account', false]);
  if (isLeft(session)) return session.left;
  return page({
    title: 'Sign out?',
    body: html`<form class="form" method="post" action="/account/sign-out">${csrfField(session.right)}
<button class="button primary">Sign out</button></form><p><a href="/account">Stay signed in</a></p>`,
  });
};

export const signOut = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const session = await acting(deps, arrived, [fields, '/account', false]);
  if (isLeft(session)) return session.left;
  const ending = { ...endingOf(session.right, arrived, 'Signed out.'), sessionId: session.right.sessionId };
  const ended = await endSession(deps, ending);
  return isLeft(ended) ? problemPageOf(ended.left) : signedOut(deps, session.right);
};
