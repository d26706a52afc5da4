/** /sign-in/enrol: a person enrols an authenticator by link and is signed in. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { checkPassword } from '../../../../domain/identity/authenticators/password-policy';
import type { SignInPolicy } from '../../../../domain/identity/sign-in-policy/decider';
import { problemOf } from '../../../../infra/server/http/problem';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { checkCsrf, type Fields } from '../../pages/form';
import { html } from '../../pages/html';
import { failurePage, page, problemPageOf } from '../../pages/page';
import {
  type LoadedPerson,
  loadPerson,
  loadPolicy,
  unlessForgotten,
  updateAuthenticators,
} from '../../people/load-person';
import { endSessions } from '../../sessions/end-session';
import { ensurePreSession, type PreSession } from '../../sessions/pre-session';
import { completeLogin, maySignIn } from '../complete-login';
import type { PageRequest, SignInDeps } from '../dependencies';
import { defaultContinuePath, readLoginRequest, requiredSecondFactor } from '../login-request';
import { registerPasskey } from '../passkeys/register-passkey';
import { beginSecondFactor } from '../second-factor/second-factor-step';
import { findEnrolment } from './enrolment-link';
import { type EnrolmentView, renderEnrolmentPage } from './enrolment-page';

const enrolmentSpent = () =>
  page({
    title: 'This link was used or has expired',
    status: 410,
    body: html`<div class="notice" role="alert"><p>If you have set up your sign-in, <a href="/sign-in">sign in</a>. Otherwise ask the sender for a new link.</p></div>`,
  });

const notAllowed = () => failurePage(403, 'You cannot sign in', 'Ask an administrator.');

/** Left: the error page. Suspended principals cannot enrol. */
const loadEnrolment = async (
  deps: SignInDeps,
  preSession: PreSession,
  token: string,
): Promise<Either<PageAnswer, EnrolmentView>> => {
  const loaded = await findEnrolment(deps, token);
  if (isLeft(loaded)) return left(problemPageOf(loaded.left));
  if (loaded.right === undefined) return left(enrolmentSpent());
  if (!maySignIn(loaded.right)) return left(notAllowed());
  const policy = await loadPolicy(deps, loaded.right.tenantId);
  return isLeft(policy)
    ? left(problemPageOf(policy.left))
    : right({ visit: preSession, known: loaded.right, policy: policy.right, token });
};

export const showEnrolment = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { token = '' }: Fields,
): Promise<PageAnswer> => {
  const preSession = await ensurePreSession(deps, pageRequest.headers);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  const view = await loadEnrolment(deps, preSession.right, token);
  return isLeft(view) ? view.left : renderEnrolmentPage(deps, pageRequest, view.right);
};

/** Left: the page to answer with. */
const beginSubmission = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { fields, method }: { readonly fields: Fields; readonly method: 'passwords' | 'passkeys' },
): Promise<Either<PageAnswer, EnrolmentView>> => {
  const preSession = await ensurePreSession(deps, pageRequest.headers);
  if (isLeft(preSession)) return left(problemPageOf(preSession.left));
  const checked = checkCsrf(fields, {
    token: preSession.right,
    headers: pageRequest.headers,
    browsers: deps.browsers,
  });
  if (isLeft(checked)) return checked;
  const view = await loadEnrolment(deps, preSession.right, fields.token ?? '');
  if (isLeft(view) || view.right.policy.rules[method]) return view;
  return left(
    await renderEnrolmentPage(deps, pageRequest, {
      ...view.right,
      failure: 'That sign-in method is not available here.',
    }),
  );
};

/** Reloads the person, who has just changed. */
const completeEnrolment = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { before, methods }: { readonly before: LoadedPerson; readonly methods: readonly string[] },
) => {
  const loaded = await loadPerson(deps, before);
  if (isLeft(loaded)) return problemPageOf(loaded.left);
  if (!maySignIn(loaded.right)) return notAllowed();
  return completeLogin(deps, pageRequest, { loaded: loaded.right, proof: { methods, continue: defaultContinuePath } });
};

/** The link does not count as a second factor: an enrolled one is required, and a missing one is enrolled. */
const continueAfterPassword = (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { loaded, policy }: { readonly loaded: LoadedPerson; readonly policy: SignInPolicy },
) => {
  const { tenantId, person } = loaded;
  // Not for passkeys: links exist for lost ones.
  const needed = requiredSecondFactor(
    policy,
    { totp: unlessForgotten(person.totp) !== undefined, passkeys: false },
    undefined,
  );
  if (needed !== 'totp' && needed !== 'enrol')
    return completeEnrolment(deps, pageRequest, { before: loaded, methods: ['pwd'] });
  return beginSecondFactor(deps, readLoginRequest({ tenant: tenantId }, tenantId), { loaded, needed });
};

export const enrolPassword = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  fields: Fields,
): Promise<PageAnswer> => {
  const view = await beginSubmission(deps, pageRequest, { fields, method: 'passwords' });
  if (isLeft(view)) return view.left;
  const { known: loaded } = view.right;
  const accepted = checkPassword(fields.password ?? '', unlessForgotten(loaded.person.profile?.login) ?? '');
  if (isLeft(accepted)) return renderEnrolmentPage(deps, pageRequest, { ...view.right, failure: accepted.left.detail });
  const hash = await deps.people.passwords.hash(accepted.right);
  if (isLeft(hash)) return problemPageOf(problemOf(hash.left, {}));
  const { principalId, person } = loaded;
  const about = { principalId, at: deps.clock.now(), enrolment: person.enrolment?.hash ?? null };
  const context = { requestId: pageRequest.requestId, actor: principalId };
  const set = await updateAuthenticators(deps, loaded, {
    command: { type: 'SetPassword', ...about, hash: hash.right },
    context,
  });
  if (isLeft(set)) return problemPageOf(set.left);
  // Ends all other sessions, as a password change does.
  const reason = 'The password was changed.';
  const ended = await endSessions(deps, { tenantId: loaded.tenantId, principalId, reason, ...context });
  if (isLeft(ended)) return problemPageOf(ended.left);
  const now = await loadPerson(deps, loaded);
  return isLeft(now)
    ? problemPageOf(now.left)
    : continueAfterPassword(deps, pageRequest, { loaded: now.right, policy: view.right.policy });
};

export const enrolPasskey = async (deps: SignInDeps, pageRequest: PageRequest, fields: Fields): Promise<PageAnswer> => {
  const view = await beginSubmission(deps, pageRequest, { fields, method: 'passkeys' });
  if (isLeft(view)) return view.left;
  const { known: loaded, visit: preSession } = view.right;
  const enrolment = loaded.person.enrolment?.hash ?? null;
  const registering = { known: loaded, browser: preSession.id, answer: fields.answer, name: '', enrolment };
  const done = await registerPasskey(deps, pageRequest, registering);
  if (isLeft(done)) return problemPageOf(done.left);
  if (!done.right)
    return renderEnrolmentPage(deps, pageRequest, {
      ...view.right,
      failure: 'The passkey could not be verified. Try again.',
    });
  return completeEnrolment(deps, pageRequest, { before: loaded, methods: ['hwk', 'user', 'mfa'] });
};
