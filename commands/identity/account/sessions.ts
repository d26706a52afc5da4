/** Forms of /account that end sessions, including the current one. */
import { isLeft } from 'fp-ts/Either';
import { SessionId } from '../../../domain/identity/ids';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, problemPageOf, redirect } from '../pages/page';
import type { CurrentSession } from '../sessions/current-session';
import { endSession, endSessions } from '../sessions/end-session';
import type { PageRequest, SignInDeps } from '../sign-in/dependencies';
import { loginPath } from '../sign-in/login-request';
import { requireFormSession, requireSession } from './require-session';

const endSessionRequest = ({ tenantId, principalId }: CurrentSession, { requestId }: PageRequest, reason: string) => ({
  tenantId,
  principalId,
  reason,
  requestId,
  actor: principalId,
});

const signedOutPage = ({ browsers, firstSignIn }: SignInDeps, { tenantId }: CurrentSession): PageAnswer =>
  redirect(loginPath(tenantId, firstSignIn.tenantId), [browsers.cookies.clear('account')]);

/** Accepts only sessions of the signed-in person. */
export const endOne = async (deps: SignInDeps, pageRequest: PageRequest, fields: Fields): Promise<PageAnswer> => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: false });
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const open = await deps.browsers.live.of(`${tenantId}.${principalId}`);
  if (isLeft(open) || !SessionId.is(fields.session) || !open.right.includes(fields.session))
    return redirect('/account');
  const ending = { ...endSessionRequest(session.right, pageRequest, 'Ended by its owner.'), sessionId: fields.session };
  const ended = await endSession(deps, ending);
  return isLeft(ended) ? problemPageOf(ended.left) : redirect('/account');
};

export const endAll = async (deps: SignInDeps, pageRequest: PageRequest, fields: Fields): Promise<PageAnswer> => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: false });
  if (isLeft(session)) return session.left;
  const ended = await endSessions(deps, endSessionRequest(session.right, pageRequest, 'Signed out everywhere.'));
  return isLeft(ended) ? problemPageOf(ended.left) : signedOutPage(deps, session.right);
};

/** A page for confirmation: a link from another site must not sign anyone out. */
export const showSignOut = async (deps: SignInDeps, pageRequest: PageRequest): Promise<PageAnswer> => {
  const session = await requireSession(deps, pageRequest, { path: '/account', fresh: false });
  if (isLeft(session)) return session.left;
  return page({
    title: 'Sign out?',
    body: html`<p>This ends your session in this browser only. Your account page ends the others.</p>
<form class="form" method="post" action="/account/sign-out">${csrfField(session.right)}
<button class="button primary">Sign out</button></form><p><a href="/account">Stay signed in</a></p>`,
  });
};

export const signOut = async (deps: SignInDeps, pageRequest: PageRequest, fields: Fields): Promise<PageAnswer> => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: false });
  if (isLeft(session)) return session.left;
  const ending = {
    ...endSessionRequest(session.right, pageRequest, 'Signed out.'),
    sessionId: session.right.sessionId,
  };
  const ended = await endSession(deps, ending);
  return isLeft(ended) ? problemPageOf(ended.left) : signedOutPage(deps, session.right);
};
