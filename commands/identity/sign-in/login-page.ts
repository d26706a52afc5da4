/** The first sign-in page: passkey, password, or identity provider. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { credentialSignInPath } from '../../../infra/server/http/identity/console-paths';
import type { Problem } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { csrfField } from '../pages/form';
import { type Html, html } from '../pages/html';
import { loginField } from '../pages/login-field';
import { page, problemPageOf } from '../pages/page';
import { passwordField } from '../pages/password-field';
import { loadPolicy } from '../people/load-person';
import { ensurePreSession, type PreSession } from '../sessions/pre-session';
import type { PageRequest, SignInDeps } from './dependencies';
import { type LoginRequest, loginRequestFields } from './login-request';
import { newChallenge } from './passkeys/challenge';
import { assertionOptions, findNamedOrigin, relyingPartyOf } from './passkeys/webauthn';

export interface LoginView {
  readonly purpose: LoginRequest;
  readonly visit: PreSession;
  readonly policy: SignInPolicy;
  /** WebAuthn options; undefined: passkeys do not work at this origin. */
  readonly passkey: object | undefined;
  /** Origin with a host name, for visitors by IP address. */
  readonly named?: string | undefined;
  /** Error message. */
  readonly failure?: string;
  readonly status?: number;
}

export const failureNotice = (failure: string | undefined): Html | false =>
  failure !== undefined && html`<div class="notice bad" role="alert"><p>${failure}</p></div>`;

export const passkeyFailure = (advice: string): Html =>
  html`<div class="notice bad" role="alert" data-failed hidden><p>${advice}</p></div>`;

/** The script reveals it in browsers without passkeys. */
export const noPasskeysNotice = html`<p class="hint" data-no-passkeys hidden>This browser has no passkeys. Use another browser, or another way below.</p>`;

/** For IP addresses, where browsers offer no passkeys. */
export const otherOriginNotice = (named: string | undefined): Html => html`
<p class="hint">Passkeys do not work at this address, because browsers keep them for names. ${
  named === undefined
    ? 'Ask who runs this for the name that it has, or use another way.'
    : html`Open <a href="${named}/sign-in">${named}</a>, or use another way.`
}</p>`;

/** Below the form with the password, where there is one: a page has one main button. */
const passkeyForm = ({ purpose: loginRequest, visit: preSession, policy, passkey }: LoginView): Html | false =>
  passkey !== undefined &&
  html`<form class="form" method="post" action="/sign-in/passkey" data-passkey="${JSON.stringify(passkey)}" hidden>
${csrfField(preSession)}${loginRequestFields(loginRequest)}
<input type="hidden" name="answer" value="">
${policy.rules.passwords && html`<p class="or">or</p>`}
${passkeyFailure('The passkey was not used. Try again, or sign in another way.')}
<button class="${policy.rules.passwords ? 'button' : 'button primary'}">Sign in with a passkey</button>
</form>`;

const passwordForm = ({ purpose: loginRequest, visit: preSession, policy }: LoginView): Html | false =>
  policy.rules.passwords &&
  html`<form class="form" method="post" action="/sign-in">
${csrfField(preSession)}${loginRequestFields(loginRequest)}
${loginField({ value: loginRequest.hint, autocomplete: 'username webauthn', hint: 'Your user name, such as an e-mail address. You chose it, or an administrator did.', isFocused: loginRequest.hint === '' })}
${passwordField({ label: 'Password', autocomplete: 'current-password', maxLength: 512, isFocused: loginRequest.hint !== '' })}
<button class="button primary">Sign in</button>
</form>`;

const providerForms = ({ purpose: loginRequest, visit: preSession, policy }: LoginView): readonly Html[] =>
  [...policy.providers.values()].map(
    ({ providerId, name }) => html`<form class="form" method="post" action="/sign-in/with">
${csrfField(preSession)}${loginRequestFields(loginRequest)}
<input type="hidden" name="provider" value="${providerId}">
<button class="button">Sign in with ${name}</button>
</form>`,
  );

/** What helps, by what the tenant allows. Must not reveal whether a login exists. */
const signInHelp = ({ policy: { rules } }: LoginView): Html => html`<details><summary>Can’t sign in?</summary><ul>
${rules.passwords && html`<li>A forgotten password, or nothing left to sign in with: ask an administrator for a new link. The link sets a new password or passkey; nothing is sent by e-mail.</li>`}
${!rules.passwords && html`<li>Nothing left to sign in with: ask an administrator for a new link.</li>`}
${rules.passkeys && html`<li>A passkey is offered only by the device, or the password manager, that has it.</li>`}
<li>A lost authenticator app: enter a recovery code where its code is asked for.</li>
<li>Too many attempts: wait a quarter of an hour, or use another way to sign in.</li>
<li>A program, pipeline or agent: <a href="${credentialSignInPath}">sign in with a client id and secret</a>.</li>
</ul></details>`;

const loginPage = (view: LoginView): PageAnswer =>
  page({
    title: 'Sign in',
    status: view.status ?? 200,
    body: html`${failureNotice(view.failure)}
${view.policy.rules.passkeys && (view.passkey === undefined ? otherOriginNotice(view.named) : noPasskeysNotice)}
${passwordForm(view)}
${view.policy.rules.passkeys && passkeyForm(view)}
${providerForms(view)}
${signInHelp(view)}`,
    script: view.policy.rules.passkeys && view.passkey !== undefined,
    passwords: view.policy.rules.passwords,
    // These forms redirect to providers.
    formTargets: [...view.policy.providers.values()].flatMap(({ issuer }) =>
      URL.canParse(issuer) ? [new URL(issuer).origin] : [],
    ),
    cookies: view.visit.cookies,
  });

const passkeyOptionsFor = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  browser: string,
): Promise<Either<Problem, object | undefined>> => {
  const relyingParty = relyingPartyOf(deps.browsers.origins, pageRequest);
  if (relyingParty === undefined) return right(undefined);
  const now = Date.parse(deps.clock.now());
  const challenge = await newChallenge(deps.kms, { browser, what: 'sign-in', now });
  return isLeft(challenge) ? challenge : right(assertionOptions(relyingParty, challenge.right));
};

export interface LoginFailure {
  readonly failure: string;
  readonly status: number;
}

export const renderLogin = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { loginRequest, failed }: { readonly loginRequest: LoginRequest; readonly failed?: LoginFailure | undefined },
): Promise<PageAnswer> => {
  const policy = await loadPolicy(deps, loginRequest.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const preSession = await ensurePreSession(deps, pageRequest.headers);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  const passkey = await passkeyOptionsFor(deps, pageRequest, preSession.right.id);
  if (isLeft(passkey)) return problemPageOf(passkey.left);
  const named = findNamedOrigin(deps.browsers.origins);
  return loginPage({
    purpose: loginRequest,
    visit: preSession.right,
    policy: policy.right,
    passkey: passkey.right,
    named,
    ...failed,
  });
};

/** The first factor was right and the second is a passkey: without passkey support the page names the origin that has it. */
export const renderPasskeyRequired = (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { loginRequest, status }: { readonly loginRequest: LoginRequest; readonly status: number },
): Promise<PageAnswer> => {
  const isUsable = relyingPartyOf(deps.browsers.origins, pageRequest) !== undefined;
  const failure = isUsable
    ? 'Sign in with your passkey.'
    : 'Your passkey is needed, and it does not work at this address: see below.';
  return renderLogin(deps, pageRequest, { loginRequest, failed: { failure, status } });
};
