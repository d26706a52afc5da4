/** The page on which somebody with a link sets up how they will sign in. */
import { isLeft } from 'fp-ts/Either';
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import type { PageAnswer } from '../../../infra/http/route';
import { csrfField } from '../pages/form';
import { type Html, html } from '../pages/html';
import { page } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import type { Visit } from '../sessions/visit';
import type { Arrived, PeopleDeps } from './deps';
import { type Known, kept } from './person';
import { passkeyOptions } from './register-passkey';
import { failureNotice, noPasskeysNotice, passkeyFailure, passkeysElsewhere } from './sign-in-page';

export interface Enrolling {
  readonly visit: Visit;
  readonly known: Known;
  readonly policy: SignInPolicy;
  readonly token: string;
  readonly failure?: string;
}

export const newPasswordFields = (login: string): Html => html`
<input type="hidden" name="login" value="${login}" autocomplete="username">
<label class="field"><span>New password</span><input name="password" type="password" autocomplete="new-password" minlength="12" maxlength="256" required></label>
<p class="hint">At least 12 characters. A few words that nobody else would put together are best.</p>`;

const passkeyForm = ({ visit, token }: Enrolling, options: object): Html => html`
<form class="form" method="post" action="/sign-in/enrol/passkey" data-passkey="${JSON.stringify(options)}" hidden>
${csrfField(visit)}<input type="hidden" name="token" value="${token}"><input type="hidden" name="answer" value="">
${passkeyFailure}
<button class="button primary">Create a passkey</button>
</form>`;

const passwordForm = ({ visit, token }: Enrolling, login: string): Html => html`
<form class="form" method="post" action="/sign-in/enrol">
${csrfField(visit)}<input type="hidden" name="token" value="${token}">${newPasswordFields(login)}
<button class="button">Set the password</button>
</form>`;

export const enrolPage = async (deps: PeopleDeps, arrived: Arrived, asked: Enrolling): Promise<PageAnswer> => {
  const { visit, known, failure } = asked;
  const { rules } = asked.policy;
  const options = await passkeyOptions(deps, arrived, [known, visit.id]);
  if (isLeft(options)) return problemPageOf(options.left);
  const login = kept(known.person.profile?.login) ?? '';
  return page({
    title: 'Set up your sign-in',
    status: failure === undefined ? 200 : 422,
    body: html`<p>You sign in as <strong>${login}</strong>.</p>
${failureNotice(failure)}
${rules.passkeys && (options.right === undefined ? passkeysElsewhere(undefined) : html`${noPasskeysNotice}${passkeyForm(asked, options.right)}`)}
${rules.passwords && passwordForm(asked, login)}`,
    script: options.right !== undefined,
    cookies: visit.cookies,
  });
};
