/** Forms of /account that change password and passkeys. */
import { isLeft } from 'fp-ts/Either';
import type { AuthenticatorCommand } from '../../../domain/identity/authenticators/commands';
import { checkPassword } from '../../../domain/identity/authenticators/password-policy';
import type { AcceptedMethods } from '../../../domain/identity/sign-in-policy/ways-in';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { problemOf } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, problemPageOf, redirect } from '../pages/page';
import { claimIdentifier } from '../people/identifier-claims';
import { loadAcceptedMethods, loadPerson, unlessForgotten, updateAuthenticators } from '../people/load-person';
import type { CurrentSession } from '../sessions/current-session';
import { endSessions } from '../sessions/end-session';
import type { PageRequest, SignInDeps } from '../sign-in/dependencies';
import { newPasswordFields } from '../sign-in/enrolment/enrolment-page';
import { failureNotice } from '../sign-in/login-page';
import { registerPasskey } from '../sign-in/passkeys/register-passkey';
import { showAccount } from './account-page';
import { requireFormSession, requireSession } from './require-session';

type AccountForm = (deps: SignInDeps, pageRequest: PageRequest, fields: Fields) => Promise<PageAnswer>;

const updateAndReturn = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { session, command }: { readonly session: CurrentSession; readonly command: AuthenticatorCommand },
): Promise<PageAnswer> => {
  const acted = { requestId: pageRequest.requestId, actor: session.principalId };
  const done = await updateAuthenticators(deps, session, { command, context: acted });
  if (!isLeft(done)) return redirect('/account');
  const { status, detail } = done.left.problem;
  return status < 500 ? showAccount(deps, pageRequest, detail) : problemPageOf(done.left);
};

const passwordPage = (session: CurrentSession, login: string, failure?: string): PageAnswer =>
  page({
    title: 'Your password',
    status: failure === undefined ? 200 : 422,
    body: html`${failureNotice(failure)}
<p>Setting it signs you out everywhere else.</p>
<form class="form" method="post" action="/account/password">${csrfField(session)}${newPasswordFields(login)}
<button class="button primary">Set the password</button></form>
<p><a href="/account">Back</a></p>`,
    passwords: true,
  });

const loginNameOf = async (deps: SignInDeps, session: CurrentSession): Promise<string> => {
  const loaded = await loadPerson(deps, session);
  return isLeft(loaded) ? '' : (unlessForgotten(loaded.right.person.profile?.login) ?? '');
};

export const showPassword = async (deps: SignInDeps, pageRequest: PageRequest): Promise<PageAnswer> => {
  const session = await requireSession(deps, pageRequest, { path: '/account/password', fresh: true });
  return isLeft(session) ? session.left : passwordPage(session.right, await loginNameOf(deps, session.right));
};

/** Ends all other sessions: an attacker may have used the old password. */
export const setPassword: AccountForm = async (deps, pageRequest, fields) => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account/password', fresh: true });
  if (isLeft(session)) return session.left;
  const login = await loginNameOf(deps, session.right);
  const accepted = checkPassword(fields.password ?? '', login);
  if (isLeft(accepted)) return passwordPage(session.right, login, accepted.left.detail);
  const hash = await deps.people.passwords.hash(accepted.right);
  if (isLeft(hash)) return problemPageOf(problemOf(hash.left, {}));
  const { tenantId, principalId, sessionId } = session.right;
  const about = { principalId, at: deps.clock.now(), enrolment: null };
  const answer = await updateAndReturn(deps, pageRequest, {
    session: session.right,
    command: { type: 'SetPassword', ...about, hash: hash.right },
  });
  if (answer.status !== 303) return answer;
  const reason = 'The password was changed.';
  const ending = { tenantId, principalId, reason, actor: principalId, requestId: pageRequest.requestId };
  const ended = await endSessions(deps, ending, sessionId);
  return isLeft(ended) ? problemPageOf(ended.left) : answer;
};

interface Removal {
  readonly principalId: PrincipalId;
  readonly at: Instant;
  readonly accepted: AcceptedMethods;
}

const removalForm =
  (commandOf: (removal: Removal) => AuthenticatorCommand): AccountForm =>
  async (deps, pageRequest, fields) => {
    const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: true });
    if (isLeft(session)) return session.left;
    const { principalId, tenantId } = session.right;
    const accepted = await loadAcceptedMethods(deps, tenantId);
    if (isLeft(accepted)) return problemPageOf(accepted.left);
    const command = commandOf({ principalId, at: deps.clock.now(), accepted: accepted.right });
    return updateAndReturn(deps, pageRequest, { session: session.right, command });
  };

export const removePassword = removalForm((removal) => ({ type: 'RemovePassword', ...removal }));
export const removeTotp = removalForm(({ principalId, at }) => ({ type: 'RemoveTotp', principalId, at, reason: null }));

export const addPasskey: AccountForm = async (deps, pageRequest, fields) => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: true });
  if (isLeft(session)) return session.left;
  const loaded = await loadPerson(deps, session.right);
  if (isLeft(loaded)) return problemPageOf(loaded.left);
  const { answer, name = '' } = fields;
  const registration = { known: loaded.right, browser: session.right.sessionId, answer, name, enrolment: null };
  const done = await registerPasskey(deps, pageRequest, registration);
  if (isLeft(done))
    return done.left.problem.status < 500
      ? showAccount(deps, pageRequest, done.left.problem.detail)
      : problemPageOf(done.left);
  return done.right
    ? redirect('/account')
    : showAccount(deps, pageRequest, 'The passkey could not be verified. Try again.');
};

export const removePasskey: AccountForm = async (deps, pageRequest, fields) => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: true });
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const { passkey: id = '' } = fields;
  const accepted = await loadAcceptedMethods(deps, tenantId);
  if (isLeft(accepted)) return problemPageOf(accepted.left);
  const about = { principalId, at: deps.clock.now(), accepted: accepted.right };
  const answer = await updateAndReturn(deps, pageRequest, {
    session: session.right,
    command: { type: 'RemovePasskey', passkeyId: id, reason: null, ...about },
  });
  if (answer.status !== 303) return answer;
  const releasing = {
    type: 'ReleaseIdentifier',
    principalId,
    requestId: pageRequest.requestId,
    actor: principalId,
  } as const;
  const released = await claimIdentifier(deps, { tenantId, kind: 'passkey', value: id }, releasing);
  return isLeft(released) ? problemPageOf(released.left) : answer;
};
