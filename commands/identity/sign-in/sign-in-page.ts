/** The first page of signing in: a passkey, a login and its password, or an enterprise's provider. */
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import type { PageAnswer } from '../../../infra/http/route';
import { csrfField } from '../pages/form';
import { type Html, html } from '../pages/html';
import { page } from '../pages/page';
import type { Visit } from '../sessions/visit';
import { type Purpose, purposeFields } from './asked';

export interface Shown {
  readonly purpose: Purpose;
  readonly visit: Visit;
  readonly policy: SignInPolicy;
  /** For the browser's passkeys; undefined where it has none for us. */
  readonly passkey: object | undefined;
  /** Our origin that has a name, where the person came by an address. */
  readonly named?: string | undefined;
  /** What went wrong, for the person. */
  readonly failure?: string;
  readonly status?: number;
}

export const failureNotice = (failure: string | undefined): Html | false =>
  failure !== undefined && html`<div class="notice bad" role="alert"><p>${failure}</p></div>`;

export const passkeyFailure = html`<div class="notice bad" role="alert" data-failed hidden><p>The passkey was not used. Try again, or sign in another way.</p></div>`;

/** For a browser without passkeys: the script of the page shows it. */
export const noPasskeysNotice = html`<p class="hint" data-no-passkeys hidden>This browser has no passkeys. Use another browser, or another way below.</p>`;

/** For an address of numbers, where no browser offers passkeys. */
export const passkeysElsewhere = (named: string | undefined): Html => html`
<p class="hint">Passkeys do not work at this address, because browsers keep them for names. ${
  named === undefined
    ? 'Ask who runs this for the name that it has, or use another way.'
    : html`Open <a href="${named}/sign-in">${named}</a>, or use another way.`
}</p>`;

const passkeyForm = ({ purpose, visit, passkey }: Shown): Html | false =>
  passkey !== undefined &&
  html`<form class="form" method="post" action="/sign-in/passkey" data-passkey="${JSON.stringify(passkey)}" hidden>
${csrfField(visit)}${purposeFields(purpose)}
<input type="hidden" name="answer" value="">
${passkeyFailure}
<button class="button primary">Sign in with a passkey</button>
</form>`;

const passwordForm = ({ purpose, visit, policy }: Shown): Html | false =>
  policy.rules.passwords &&
  html`<form class="form" method="post" action="/sign-in">
${csrfField(visit)}${purposeFields(purpose)}
<label class="field"><span>Login</span><input name="login" value="${purpose.hint}" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" maxlength="200" required></label>
<label class="field"><span>Password</span><input name="password" type="password" autocomplete="current-password" maxlength="512" required></label>
<button class="button primary">Sign in</button>
</form>`;

const providerForms = ({ purpose, visit, policy }: Shown): readonly Html[] =>
  [...policy.providers.values()].map(
    ({ providerId, name }) => html`<form class="form" method="post" action="/sign-in/with">
${csrfField(visit)}${purposeFields(purpose)}
<input type="hidden" name="provider" value="${providerId}">
<button class="button">Sign in with ${name}</button>
</form>`,
  );

export const signInPage = (shown: Shown): PageAnswer =>
  page({
    title: 'Sign in',
    status: shown.status ?? 200,
    body: html`${failureNotice(shown.failure)}
${shown.policy.rules.passkeys && (shown.passkey === undefined ? passkeysElsewhere(shown.named) : html`${noPasskeysNotice}${passkeyForm(shown)}`)}
${passwordForm(shown)}
${providerForms(shown)}`,
    script: shown.policy.rules.passkeys && shown.passkey !== undefined,
    // A provider's page is where one of these forms ends up.
    formTargets: [...shown.policy.providers.values()].flatMap(({ issuer }) =>
      URL.canParse(issuer) ? [new URL(issuer).origin] : [],
    ),
    cookies: shown.visit.cookies,
  });
