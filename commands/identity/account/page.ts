/** `/account`: a person's own page: where they are signed in, and with what they sign in. */
import { isLeft } from 'fp-ts/Either';
import { SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { sessionStream } from '../../../domain/identity/streams';
import { problemOf } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { loadStream } from '../../kernel/load-stream';
import { csrfField } from '../pages/form';
import { type Html, html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { type CurrentSession, currentSession, personOf } from '../sessions/current';
import type { Arrived, PeopleDeps } from '../sign-in/deps';
import { type Known, kept, loadPerson, loadPolicy } from '../sign-in/person';
import { passkeyOptions } from '../sign-in/register-passkey';
import { failureNotice, passkeyFailure } from '../sign-in/sign-in-page';

interface Open {
  readonly sessionId: SessionId;
  readonly device: string;
  readonly since: string;
}

interface Shown {
  readonly current: CurrentSession;
  readonly known: Known;
  readonly sessions: readonly Open[];
  readonly policy: SignInPolicy;
  readonly options: object | undefined;
  readonly failure: string | undefined;
}

const act = (current: CurrentSession, [action, label, more]: readonly [string, string, Html?]): Html =>
  html`<form method="post" action="/account/${action}">${csrfField(current)}${more}<button class="button small">${label}</button></form>`;

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;
const day = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

const sessionsPart = ({ current, sessions }: Shown): Html => html`<section aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<ul>${sessions.map(
  ({
    sessionId,
    device,
    since,
  }) => html`<li class="row"><span>${device}${sessionId === current.sessionId && html` <span class="tag good">this one</span>`}<br><span class="hint">since ${day(since)}</span></span>
${sessionId !== current.sessionId && act(current, ['sessions/end', 'End', hidden('session', sessionId)])}</li>`,
)}</ul>
${act(current, ['sessions/end-all', 'Sign out everywhere'])}
</section>`;

const passkeysPart = ({ current, known, policy, options }: Shown): Html | false =>
  policy.rules.passkeys &&
  html`<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
${known.person.passkeys.size === 0 && html`<p>You have none.</p>`}
<ul>${[...known.person.passkeys.values()].map(
    (
      one,
    ) => html`<li class="row"><span>${kept(one.name) ?? 'Passkey'}<br><span class="hint">added ${day(one.addedAt)}</span></span>
${act(current, ['passkeys/remove', 'Remove', hidden('passkey', one.passkeyId)])}</li>`,
  )}</ul>
${
  options !== undefined &&
  html`<form class="form" method="post" action="/account/passkeys" data-passkey="${JSON.stringify(options)}" hidden>
${csrfField(current)}${hidden('answer', '')}${passkeyFailure}
<label class="field"><span>Name of the new passkey</span><input name="name" maxlength="60" placeholder="This laptop"></label>
<button class="button">Add a passkey</button></form>`
}</section>`;

const passwordPart = ({ current, known, policy }: Shown): Html | false =>
  policy.rules.passwords &&
  html`<section aria-labelledby="password"><h2 id="password">Password</h2>
<p>${known.person.password === null ? 'You have none.' : 'You have one.'}</p>
<p class="row"><a class="button small" href="/account/password">${known.person.password === null ? 'Set a password' : 'Change it'}</a></p>
${known.person.password !== null && act(current, ['password/remove', 'Remove it'])}</section>`;

const totpPart = ({
  current,
  known,
}: Shown): Html => html`<section aria-labelledby="totp"><h2 id="totp">Authenticator app</h2>
<p>${known.person.totp === null ? 'Codes of an app protect your password.' : 'An app is set up.'}</p>
<p class="row"><a class="button small" href="/account/totp">${known.person.totp === null ? 'Set one up' : 'Set up another'}</a></p>
${known.person.totp !== null && act(current, ['totp/remove', 'Remove it'])}
${
  known.person.totp !== null &&
  html`<p>${known.person.unusedRecovery.size} recovery codes are left.</p>${act(current, ['recovery-codes', 'New recovery codes'])}`
}</section>`;

const linksPart = ({ current, known, policy }: Shown): Html | false => {
  const linked = known.person.upstreams;
  if (linked.length === 0 && policy.providers.size === 0) return false;
  const open = [...policy.providers.values()].filter(({ issuer }) => !linked.some((one) => one.issuer === issuer));
  return html`<section aria-labelledby="links"><h2 id="links">Accounts elsewhere</h2>
<ul>${linked.map(
    (one) =>
      html`<li class="row"><span>${one.issuer}</span>${act(current, ['links/remove', 'Remove', hidden('link', one.subjectHash)])}</li>`,
  )}${open.map(
    ({ providerId, name }) =>
      html`<li class="row"><span>${name}</span><a class="button small" href="/account/link?provider=${providerId}">Link</a></li>`,
  )}</ul></section>`;
};

const takenNotice = ({ known }: Shown): Html | false =>
  known.person.takenAway.length > 0 &&
  html`<div class="notice bad" role="note">${known.person.takenAway.map(
    ({ what, at, reason }) => html`<p>An administrator took your ${what} away on ${day(at)}: ${reason}</p>`,
  )}<p>If you know nothing of it, tell whoever looks after security.</p></div>`;

const accountPage = (shown: Shown): PageAnswer => {
  const { profile } = shown.known.person;
  return page({
    title: kept(profile?.displayName) ?? 'Your account',
    status: shown.failure === undefined ? 200 : 422,
    body: html`<p>Signed in as <strong>${kept(profile?.login) ?? shown.known.principalId}</strong></p>
${failureNotice(shown.failure)}${takenNotice(shown)}
<p class="row"><a class="button primary" href="/console/">Console</a><a class="button" href="/account/applications">Applications</a><a class="button" href="/account/sign-out">Sign out</a></p>
${sessionsPart(shown)}${passkeysPart(shown)}${passwordPart(shown)}${totpPart(shown)}${linksPart(shown)}`,
    script: shown.options !== undefined && shown.policy.rules.passkeys,
  });
};

/** Of those in use, as the log tells them. */
const openSessions = async (deps: PeopleDeps, { tenantId, principalId, securityEpoch }: Known) => {
  const found = await deps.browsers.live.of(personOf(tenantId, principalId));
  if (isLeft(found)) return { ...found, left: problemOf(found.left, {}) };
  const open: Open[] = [];
  for (const sessionId of found.right.filter(SessionId.is)) {
    const state = await loadStream(deps, session, sessionStream(tenantId, sessionId));
    if (isLeft(state)) return { ...state, left: problemOf(state.left, {}) };
    if (state.right.kind !== 'open' || state.right.session.expiresAt <= deps.clock.now()) continue;
    const { device, authenticatedAt, securityEpoch: opened } = state.right.session;
    if (securityEpoch === null || opened < securityEpoch) continue;
    open.push({ sessionId, device: kept(device) ?? 'A browser', since: authenticatedAt });
  }
  return { _tag: 'Right', right: open } as const;
};

export const showAccount = async (deps: PeopleDeps, arrived: Arrived, failure?: string): Promise<PageAnswer> => {
  const current = await currentSession(deps, arrived.headers);
  if (isLeft(current)) return problemPageOf(current.left);
  if (current.right === null) return redirect('/sign-in?continue=/account');
  const known = await loadPerson(deps, current.right);
  if (isLeft(known)) return problemPageOf(known.left);
  const policy = await loadPolicy(deps, current.right.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const sessions = await openSessions(deps, known.right);
  if (isLeft(sessions)) return problemPageOf(sessions.left);
  const options = await passkeyOptions(deps, arrived, [known.right, current.right.sessionId]);
  if (isLeft(options)) return problemPageOf(options.left);
  const shown = { current: current.right, known: known.right, sessions: sessions.right, policy: policy.right };
  return accountPage({ ...shown, options: options.right, failure });
};
