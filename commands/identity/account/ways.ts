/** Forms of `/account` that change how a person signs in. */
import { isLeft } from 'fp-ts/Either';
import type { AuthenticatorCommand } from '../../../domain/identity/authenticators/commands';
import { acceptablePassword } from '../../../domain/identity/authenticators/password-rules';
import { problemOf } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import type { CurrentSession } from '../sessions/current';
import { endSessions } from '../sessions/end';
import type { Arrived, PeopleDeps } from '../sign-in/deps';
import { newPasswordFields } from '../sign-in/enrol-page';
import { claimIdentifier } from '../sign-in/identifiers';
import { changePerson, kept, loadPerson } from '../sign-in/person';
import { registerPasskey } from '../sign-in/register-passkey';
import { failureNotice } from '../sign-in/sign-in-page';
import { acting, signedIn } from './acting';
import { showAccount } from './page';

type Form = (deps: PeopleDeps, arrived: Arrived, fields: Fields) => Promise<PageAnswer>;

const change = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [session, command]: readonly [CurrentSession, AuthenticatorCommand],
): Promise<PageAnswer> => {
  const acted = { requestId: arrived.requestId, actor: session.principalId };
  const done = await changePerson(deps, session, [command, acted]);
  if (!isLeft(done)) return redirect('/account');
  const { status, detail } = done.left.problem;
  return status < 500 ? showAccount(deps, arrived, detail) : problemPageOf(done.left);
};

const passwordPage = (session: CurrentSession, login: string, failure?: string): PageAnswer =>
  page({
    title: 'Your password',
    status: failure === undefined ? 200 : 422,
    body: html`${failureNotice(failure)}
<form class="form" method="post" action="/account/password">${csrfField(session)}${newPasswordFields(login)}
<button class="button primary">Set the password</button></form>
<p class="hint">You are signed out everywhere else.</p><p><a href="/account">Back</a></p>`,
  });

const loginOf = async (deps: PeopleDeps, session: CurrentSession): Promise<string> => {
  const known = await loadPerson(deps, session);
  return isLeft(known) ? '' : (kept(known.right.person.profile?.login) ?? '');
};

export const showPassword = async (deps: PeopleDeps, arrived: Arrived): Promise<PageAnswer> => {
  const session = await signedIn(deps, arrived, ['/account/password', true]);
  return isLeft(session) ? session.left : passwordPage(session.right, await loginOf(deps, session.right));
};

/** Whoever knew the one before may sit somewhere: every other session ends. */
export const setPassword: Form = async (deps, arrived, fields) => {
  const session = await acting(deps, arrived, [fields, '/account/password', true]);
  if (isLeft(session)) return session.left;
  const login = await loginOf(deps, session.right);
  const accepted = acceptablePassword(fields.password ?? '', login);
  if (isLeft(accepted)) return passwordPage(session.right, login, accepted.left.detail);
  const hash = await deps.people.passwords.hash(accepted.right);
  if (isLeft(hash)) return problemPageOf(problemOf(hash.left, {}));
  const { tenantId, principalId, sessionId } = session.right;
  const about = { principalId, at: deps.clock.now(), enrolment: null };
  const answer = await change(deps, arrived, [session.right, { type: 'SetPassword', ...about, hash: hash.right }]);
  if (answer.status !== 303) return answer;
  const reason = 'The password was changed.';
  const ending = { tenantId, principalId, reason, actor: principalId, requestId: arrived.requestId };
  const ended = await endSessions(deps, ending, sessionId);
  return isLeft(ended) ? problemPageOf(ended.left) : answer;
};

const removal =
  (way: { readonly type: 'RemovePassword' } | { readonly type: 'RemoveTotp'; readonly reason: null }): Form =>
  async (deps, arrived, fields) => {
    const session = await acting(deps, arrived, [fields, '/account', true]);
    if (isLeft(session)) return session.left;
    const { principalId } = session.right;
    return change(deps, arrived, [session.right, { ...way, principalId, at: deps.clock.now() }]);
  };

export const removePassword = removal({ type: 'RemovePassword' });
export const removeTotp = removal({ type: 'RemoveTotp', reason: null });

export const addPasskey: Form = async (deps, arrived, fields) => {
  const session = await acting(deps, arrived, [fields, '/account', true]);
  if (isLeft(session)) return session.left;
  const known = await loadPerson(deps, session.right);
  if (isLeft(known)) return problemPageOf(known.left);
  const { answer, name = '' } = fields;
  const asked = { known: known.right, browser: session.right.sessionId, answer, name, enrolment: null };
  const done = await registerPasskey(deps, arrived, asked);
  if (isLeft(done))
    return done.left.problem.status < 500
      ? showAccount(deps, arrived, done.left.problem.detail)
      : problemPageOf(done.left);
  return done.right
    ? redirect('/account')
    : showAccount(deps, arrived, 'The passkey could not be verified. Try again.');
};

export const removePasskey: Form = async (deps, arrived, fields) => {
  const session = await acting(deps, arrived, [fields, '/account', true]);
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const { passkey: id = '' } = fields;
  const answer = await change(deps, arrived, [
    session.right,
    { type: 'RemovePasskey', principalId, passkeyId: id, at: deps.clock.now(), reason: null },
  ]);
  if (answer.status !== 303) return answer;
  const releasing = {
    type: 'ReleaseIdentifier',
    principalId,
    requestId: arrived.requestId,
    actor: principalId,
  } as const;
  const released = await claimIdentifier(deps, { tenantId, kind: 'passkey', value: id }, releasing);
  return isLeft(released) ? problemPageOf(released.left) : answer;
};
