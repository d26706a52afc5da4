/** HTML of the enrolment page. */
import { isLeft } from 'fp-ts/Either';
import type { SignInPolicy } from '../../../../domain/identity/sign-in-policy/decider';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { csrfField } from '../../pages/form';
import { type Html, html } from '../../pages/html';
import { page, problemPageOf } from '../../pages/page';
import { passwordField } from '../../pages/password-field';
import { type LoadedPerson, unlessForgotten } from '../../people/load-person';
import type { PreSession } from '../../sessions/pre-session';
import type { PageRequest, SignInDeps } from '../dependencies';
import { failureNotice, noPasskeysNotice, otherOriginNotice, passkeyFailure } from '../login-page';
import { passkeyOptions } from '../passkeys/register-passkey';

export interface EnrolmentView {
  readonly visit: PreSession;
  readonly known: LoadedPerson;
  readonly policy: SignInPolicy;
  readonly token: string;
  readonly failure?: string;
}

/** Password managers save the password under the login, which they do not look for in hidden inputs. */
export const newPasswordFields = (login: string): Html => html`
<input class="hidden-text" name="login" value="${login}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${passwordField({
  label: 'New password',
  autocomplete: 'new-password',
  minLength: 12,
  maxLength: 256,
  hint: 'At least 12 characters. A few unrelated words are best.',
  isFocused: true,
})}`;

/** Above the form with the password, where there is one. */
const passkeyForm = ({ visit: preSession, token, policy }: EnrolmentView, options: object): Html => html`
<form class="form" method="post" action="/sign-in/enrol/passkey" data-passkey="${JSON.stringify(options)}" hidden>
${csrfField(preSession)}<input type="hidden" name="token" value="${token}"><input type="hidden" name="answer" value="">
${passkeyFailure(`No passkey was created. Try again${policy.rules.passwords ? ', or set a password' : ''}.`)}
<button class="button primary">Create a passkey</button>
${policy.rules.passwords && html`<p class="or">or</p>`}
</form>`;

const passwordForm = ({ visit: preSession, token }: EnrolmentView, login: string): Html => html`
<form class="form" method="post" action="/sign-in/enrol">
${csrfField(preSession)}<input type="hidden" name="token" value="${token}">${newPasswordFields(login)}
<button class="button">Set the password</button>
</form>`;

export const renderEnrolmentPage = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  view: EnrolmentView,
): Promise<PageAnswer> => {
  const { visit: preSession, known: loaded, failure } = view;
  const { rules } = view.policy;
  const options = await passkeyOptions(deps, pageRequest, { loaded, browser: preSession.id });
  if (isLeft(options)) return problemPageOf(options.left);
  const login = unlessForgotten(loaded.person.profile?.login) ?? '';
  return page({
    title: 'Set up your sign-in',
    status: failure === undefined ? 200 : 422,
    body: html`<p>You sign in as <strong>${login}</strong>.</p>
${failureNotice(failure)}
${rules.passkeys && (options.right === undefined ? otherOriginNotice(undefined) : html`${noPasskeysNotice}${passkeyForm(view, options.right)}`)}
${rules.passwords && passwordForm(view, login)}`,
    script: options.right !== undefined,
    passwords: rules.passwords,
    cookies: preSession.cookies,
  });
};
