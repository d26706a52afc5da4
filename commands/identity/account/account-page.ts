/** GET /account: a person's sessions, authenticators and linked accounts. */
import { isLeft } from 'fp-ts/Either';
import { SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { beginConsolePath } from '../../../infra/server/http/identity/console-paths';
import { problemOf } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { loadStream } from '../../kernel/load-stream';
import { csrfField } from '../pages/form';
import { type Html, html } from '../pages/html';
import { page, problemPageOf, redirect } from '../pages/page';
import { type LoadedPerson, loadPerson, loadPolicy, unlessForgotten } from '../people/load-person';
import { loadPrincipal, mayUseConsole } from '../principals/load-principal';
import { type CurrentSession, currentSession, sessionOwnerKey } from '../sessions/current-session';
import type { PageRequest, SignInDeps } from '../sign-in/dependencies';
import { failureNotice, passkeyFailure } from '../sign-in/login-page';
import { passkeyOptions } from '../sign-in/passkeys/register-passkey';

interface OpenSession {
  readonly sessionId: SessionId;
  readonly device: string;
  readonly since: string;
}

interface AccountView {
  readonly current: CurrentSession;
  readonly known: LoadedPerson;
  readonly sessions: readonly OpenSession[];
  readonly policy: SignInPolicy;
  readonly options: object | undefined;
  readonly failure: string | undefined;
  /** The person has a scope beyond those about the own account. */
  readonly mayOpenConsole: boolean;
}

const actionForm = (
  current: CurrentSession,
  { action, label, more }: { readonly action: string; readonly label: string; readonly more?: Html | undefined },
): Html =>
  html`<form method="post" action="/account/${action}">${csrfField(current)}${more}<button class="button small">${label}</button></form>`;

const hiddenField = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;
const formatDay = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

const sessionsPart = ({ current, sessions }: AccountView): Html => html`<section aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<ul>${sessions.map(
  ({
    sessionId,
    device,
    since,
  }) => html`<li class="row"><span>${device}${sessionId === current.sessionId && html` <span class="tag good">this browser</span>`}<br><span class="hint">since ${formatDay(since)}</span></span>
${sessionId !== current.sessionId && actionForm(current, { action: 'sessions/end', label: 'End', more: hiddenField('session', sessionId) })}</li>`,
)}</ul>
${actionForm(current, { action: 'sessions/end-all', label: 'Sign out everywhere' })}
</section>`;

const passkeysPart = ({ current, known: loaded, policy, options }: AccountView): Html | false =>
  policy.rules.passkeys &&
  html`<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
${loaded.person.passkeys.size === 0 && html`<p>You have none. A passkey signs you in with your device’s screen lock instead of a password.</p>`}
<ul>${[...loaded.person.passkeys.values()].map(
    (
      one,
    ) => html`<li class="row"><span>${unlessForgotten(one.name) ?? 'Passkey'}<br><span class="hint">added ${formatDay(one.addedAt)}</span></span>
${actionForm(current, { action: 'passkeys/remove', label: 'Remove', more: hiddenField('passkey', one.passkeyId) })}</li>`,
  )}</ul>
${
  options !== undefined &&
  html`<form class="form" method="post" action="/account/passkeys" data-passkey="${JSON.stringify(options)}" hidden>
${csrfField(current)}${hiddenField('answer', '')}${passkeyFailure('No passkey was added. Try again.')}
<label class="field"><span>Name of the new passkey</span><input name="name" maxlength="60" placeholder="This laptop"></label>
<button class="button">Add a passkey</button></form>`
}</section>`;

const passwordPart = ({ current, known: loaded, policy }: AccountView): Html | false =>
  policy.rules.passwords &&
  html`<section aria-labelledby="password"><h2 id="password">Password</h2>
<p>${loaded.person.password === null ? 'You have none.' : 'A password is set.'}</p>
<div class="row"><a class="button small" href="/account/password">${loaded.person.password === null ? 'Set a password' : 'Change it'}</a>
${loaded.person.password !== null && actionForm(current, { action: 'password/remove', label: 'Remove it' })}</div></section>`;

const totpPart = ({
  current,
  known: loaded,
}: AccountView): Html => html`<section aria-labelledby="totp"><h2 id="totp">Authenticator app</h2>
<p>${loaded.person.totp === null ? 'Sign in with a code of an app besides your password, so that the password alone is not enough.' : 'An app is set up.'}</p>
<div class="row"><a class="button small" href="/account/totp">${loaded.person.totp === null ? 'Set one up' : 'Set up another'}</a>
${loaded.person.totp !== null && actionForm(current, { action: 'totp/remove', label: 'Remove it' })}</div>
${
  loaded.person.totp !== null &&
  html`<p>${loaded.person.unusedRecovery.size} recovery codes are left.</p>${actionForm(current, { action: 'recovery-codes', label: 'New recovery codes' })}`
}</section>`;

const linksPart = ({ current, known: loaded, policy }: AccountView): Html | false => {
  const linked = loaded.person.upstreams;
  if (linked.length === 0 && policy.providers.size === 0) return false;
  const open = [...policy.providers.values()].filter(({ issuer }) => !linked.some((one) => one.issuer === issuer));
  return html`<section aria-labelledby="links"><h2 id="links">External accounts</h2>
<ul>${linked.map(
    (one) =>
      html`<li class="row"><span>${one.issuer}</span>${actionForm(current, { action: 'links/remove', label: 'Remove', more: hiddenField('link', one.subjectHash) })}</li>`,
  )}${open.map(
    ({ providerId, name }) =>
      html`<li class="row"><span>${name}</span><a class="button small" href="/account/link?provider=${providerId}">Link</a></li>`,
  )}</ul></section>`;
};

const removedAuthenticatorsNotice = ({ known: loaded }: AccountView): Html | false =>
  loaded.person.takenAway.length > 0 &&
  html`<div class="notice bad" role="note">${loaded.person.takenAway.map(
    ({ what, at, reason }) => html`<p>An administrator removed your ${what} on ${formatDay(at)}: ${reason}</p>`,
  )}<p>If you did not expect this, tell your administrators.</p></div>`;

/** Not a link: most people have no page of the console for it. A person's credentials are created by that person only. */
const programsPart = html`<details><summary>Use Septet from a program or a terminal</summary><p>A program signs in with a credential of yours. Creating one needs the scope <code>credentials:write</code>: ask an administrator for it. Then the console has a page for it, Use the API from a terminal.</p></details>`;

const accountPage = (view: AccountView): PageAnswer => {
  const { profile } = view.known.person;
  return page({
    title: unlessForgotten(profile?.displayName) ?? 'Your account',
    status: view.failure === undefined ? 200 : 422,
    body: html`<p>Signed in as <strong>${unlessForgotten(profile?.login) ?? view.known.principalId}</strong></p>
${failureNotice(view.failure)}${removedAuthenticatorsNotice(view)}
${!view.mayOpenConsole && html`<p>Here you manage your sessions, how you sign in, and what applications may do for you. Ask an administrator if you need the console.</p>`}
<p class="row">${view.mayOpenConsole && html`<a class="button primary" href="${beginConsolePath}">Console</a>`}<a class="button" href="/account/applications">Applications</a><a class="button" href="/account/sign-out">Sign out</a></p>
${programsPart}${sessionsPart(view)}${passkeysPart(view)}${passwordPart(view)}${totpPart(view)}${linksPart(view)}`,
    script: view.options !== undefined && view.policy.rules.passkeys,
  });
};

/** Sessions with recent activity that the log has as open. */
const loadOpenSessions = async (deps: SignInDeps, { tenantId, principalId, securityEpoch }: LoadedPerson) => {
  const active = await deps.browsers.live.of(sessionOwnerKey(tenantId, principalId));
  if (isLeft(active)) return { ...active, left: problemOf(active.left, {}) };
  const open: OpenSession[] = [];
  for (const sessionId of active.right.filter(SessionId.is)) {
    const state = await loadStream(deps, session, sessionStream(tenantId, sessionId));
    if (isLeft(state)) return { ...state, left: problemOf(state.left, {}) };
    if (state.right.kind !== 'open' || state.right.session.expiresAt <= deps.clock.now()) continue;
    const { device, authenticatedAt, securityEpoch: opened } = state.right.session;
    if (securityEpoch === null || opened < securityEpoch) continue;
    open.push({ sessionId, device: unlessForgotten(device) ?? 'A browser', since: authenticatedAt });
  }
  return { _tag: 'Right', right: open } as const;
};

export const showAccount = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  failure?: string,
): Promise<PageAnswer> => {
  const current = await currentSession(deps, pageRequest.headers);
  if (isLeft(current)) return problemPageOf(current.left);
  if (current.right === null) return redirect('/sign-in?continue=/account');
  const loaded = await loadPerson(deps, current.right);
  if (isLeft(loaded)) return problemPageOf(loaded.left);
  const policy = await loadPolicy(deps, current.right.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const sessions = await loadOpenSessions(deps, loaded.right);
  if (isLeft(sessions)) return problemPageOf(sessions.left);
  const options = await passkeyOptions(deps, pageRequest, { loaded: loaded.right, browser: current.right.sessionId });
  if (isLeft(options)) return problemPageOf(options.left);
  const principal = await loadPrincipal(deps, current.right);
  if (isLeft(principal)) return problemPageOf(problemOf(principal.left, {}));
  const view = {
    mayOpenConsole: mayUseConsole(principal.right),
    current: current.right,
    known: loaded.right,
    sessions: sessions.right,
    policy: policy.right,
  };
  return accountPage({ ...view, options: options.right, failure });
};
