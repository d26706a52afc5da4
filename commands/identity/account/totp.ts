/** `/account/totp`: an authenticator app is set up; it counts once a code of it was shown. */
import { randomBytes } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { record, text } from '../../../domain/kernel/codec';
import type { PageAnswer } from '../../../infra/http/route';
import { csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { type CurrentSession, personOf } from '../sessions/current';
import { addressOf } from '../sessions/establish';
import { codeField, setUp } from '../sign-in/code';
import type { Arrived, PeopleDeps } from '../sign-in/deps';
import { takeGuess } from '../sign-in/limits';
import { changePerson, kept, loadPerson } from '../sign-in/person';
import { hashesOf, newRecoveryCodes } from '../sign-in/recovery-codes';
import { recoveryCodesPage } from '../sign-in/recovery-codes-page';
import { takeCode } from '../sign-in/second-step';
import { failureNotice } from '../sign-in/sign-in-page';
import { endUnderWay, findUnderWay, keepUnderWay } from '../sign-in/under-way';
import { acting, signedIn } from './acting';

const path = '/account/totp';
const Begun = record('TotpBegun', { seed: text('Seed', { maxLength: 64 }) });
const nameOf = ({ sessionId }: CurrentSession): string => `totp:${sessionId}`;

interface Shown {
  readonly session: CurrentSession;
  readonly seed: string;
  readonly login: string;
  readonly failure?: string;
}

const totpPage = ({ session, seed, login, failure }: Shown): PageAnswer =>
  page({
    title: 'Authenticator app',
    status: failure === undefined ? 200 : 422,
    body: html`${failureNotice(failure)}${setUp(seed, login)}
<form class="form" method="post" action="${path}">${csrfField(session)}${codeField}
<button class="button primary">Set it up</button></form><p><a href="/account">Back</a></p>`,
  });

const loginOf = async (deps: PeopleDeps, session: CurrentSession): Promise<string> => {
  const known = await loadPerson(deps, session);
  return isLeft(known) ? 'you' : (kept(known.right.person.profile?.login) ?? 'you');
};

export const showTotp = async (deps: PeopleDeps, arrived: Arrived): Promise<PageAnswer> => {
  const session = await signedIn(deps, arrived, [path, true]);
  if (isLeft(session)) return session.left;
  const seed = randomBytes(20).toString('base64url');
  const put = await keepUnderWay(deps, nameOf(session.right), { seed });
  if (isLeft(put)) return problemPageOf(put.left);
  return totpPage({ session: session.right, seed, login: await loginOf(deps, session.right) });
};

export const enrolTotp = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const session = await acting(deps, arrived, [fields, path, true]);
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const guess = { kind: 'code', name: personOf(tenantId, principalId), address: addressOf(arrived) } as const;
  const guessed = await takeGuess(deps.people.attempts, guess);
  if (isLeft(guessed)) return guessed.left;
  const begun = await findUnderWay(deps, nameOf(session.right), Begun);
  if (isLeft(begun)) return problemPageOf(begun.left);
  if (begun.right === undefined) return redirect(path);
  const { seed } = begun.right;
  const taken = await takeCode(deps.people.once, session.right, [
    seed,
    fields.code ?? '',
    Date.parse(deps.clock.now()),
  ]);
  if (isLeft(taken)) return problemPageOf(taken.left);
  const failure = 'That code is not valid, or was used before.';
  if (!taken.right)
    return totpPage({ session: session.right, seed, login: await loginOf(deps, session.right), failure });
  const codes = newRecoveryCodes();
  const about = { principalId, seed, recovery: hashesOf(codes), at: deps.clock.now() };
  const command = { type: 'EnrolTotp', ...about } as const;
  const done = await changePerson(deps, session.right, [command, { requestId: arrived.requestId, actor: principalId }]);
  if (isLeft(done)) return problemPageOf(done.left);
  await endUnderWay(deps, nameOf(session.right));
  await guessed.right.giveBack();
  return recoveryCodesPage(codes, '/account');
};

/** Asked for anew: those from before are void. */
export const renewRecoveryCodes = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const session = await acting(deps, arrived, [fields, '/account', true]);
  if (isLeft(session)) return session.left;
  const { principalId } = session.right;
  const codes = newRecoveryCodes();
  const command = { type: 'IssueRecoveryCodes', principalId, recovery: hashesOf(codes), at: deps.clock.now() } as const;
  const done = await changePerson(deps, session.right, [command, { requestId: arrived.requestId, actor: principalId }]);
  if (!isLeft(done)) return recoveryCodesPage(codes, '/account');
  return done.left.problem.status < 500 ? redirect('/account') : problemPageOf(done.left);
};
