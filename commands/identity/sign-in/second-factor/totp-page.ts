/** /sign-in/code: verifies a TOTP code or enrols an authenticator app. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Problem } from '../../../../infra/server/http/problem';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { checkCsrf, csrfField, type Fields } from '../../pages/form';
import { type Html, html } from '../../pages/html';
import { page, problemPageOf, redirect } from '../../pages/page';
import { qrCode } from '../../pages/qr-code';
import { loadPerson, unlessForgotten, updateAuthenticators } from '../../people/load-person';
import type { PreSession } from '../../sessions/pre-session';
import { completeLogin, maySignIn } from '../complete-login';
import type { PageRequest, SignInDeps } from '../dependencies';
import { deleteFlowState } from '../flow-state';
import { failureNotice } from '../login-page';
import { beginRecovery, isRecoverable } from '../recover-access';
import { refusedSignIn } from '../refused-sign-in';
import { newRecoveryCodes, recoveryCodesPage, recoveryHashes } from './recovery-codes';
import {
  authenticationResultOf,
  consumeTotpCode,
  isStillProven,
  loadSecondFactor,
  type PendingSecondFactor,
  requireTotpAttempt,
  type SecondFactorState,
  secondFactorFlowName,
} from './second-factor-step';
import { base32, keyUri } from './totp';

export const totpSetup = (seed: string, login: string): Html => {
  const bytes = Buffer.from(seed, 'base64url');
  const uri = keyUri(bytes, 'Septet', login);
  return html`<p>Scan this code with an authenticator app, then enter the code that the app shows.</p>
${qrCode(uri, 'QR code for an authenticator app; the key below is the same as text')}
<p>Or type the key:</p>
<p class="code" data-key>${base32(bytes)}</p>
<p><a href="${uri}">Open an app on this device</a></p>`;
};

export const codeField = html`<label class="field"><span>Code of six digits</span><input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,8}" maxlength="8" required autofocus></label>`;

interface TotpPageView {
  readonly step: SecondFactorState;
  readonly visit: PreSession;
  readonly login: string;
  readonly failure?: string;
}

const totpPage = ({ step, visit: preSession, login, failure }: TotpPageView): PageAnswer => ({
  ...(failure === undefined
    ? {}
    : refusedSignIn('The code of the authenticator app is wrong, or was used before.', step)),
  ...page({
    title: step.seed === null ? 'Enter your code' : 'Set up a second factor',
    status: failure === undefined ? 200 : 401,
    body: html`${failureNotice(failure)}
${step.seed === null ? html`<p>Your authenticator app shows a code of six digits.</p>` : totpSetup(step.seed, login)}
<form class="form" method="post" action="/sign-in/code">${csrfField(preSession)}${codeField}
<button class="button primary">Continue</button></form>
${step.seed === null && html`<p class="hint"><a href="/sign-in/recovery">Use a recovery code</a></p>`}
<p class="hint"><a href="/sign-in?${new URLSearchParams({ tenant: step.tenantId, continue: step.continue }).toString()}">Start again</a></p>`,
  }),
});

const loginNameOf = async (deps: SignInDeps, step: SecondFactorState): Promise<Either<Problem, string>> => {
  const known = await loadPerson(deps, step);
  return isLeft(known) ? known : { ...known, right: unlessForgotten(known.right.person.profile?.login) ?? 'you' };
};

export const showTotpPage = async (deps: SignInDeps, pageRequest: PageRequest): Promise<PageAnswer> => {
  const loaded = await loadSecondFactor(deps, pageRequest);
  if (isLeft(loaded)) return loaded.left;
  const login = await loginNameOf(deps, loaded.right.step);
  return isLeft(login) ? problemPageOf(login.left) : totpPage({ ...loaded.right, login: login.right });
};

/** Records the enrolled app. Returns new recovery codes; none if the person has an app already. */
const enrolTotpApp = async (
  deps: SignInDeps,
  { requestId }: PageRequest,
  step: SecondFactorState,
): Promise<Either<Problem, readonly string[]>> => {
  const { principalId, seed } = step;
  if (seed === null) return right([]);
  const codes = newRecoveryCodes();
  const about = { principalId, seed, recovery: recoveryHashes(codes), at: deps.clock.now() };
  const enrolled = await updateAuthenticators(deps, step, {
    command: { type: 'EnrolTotp', ...about },
    context: { requestId, actor: principalId },
  });
  return isLeft(enrolled) ? enrolled : right(codes);
};

const continueWithCode = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { pending: { visit: preSession, step }, code }: { readonly pending: PendingSecondFactor; readonly code: string },
) => {
  const known = await loadPerson(deps, step);
  if (isLeft(known)) return problemPageOf(known.left);
  const { person } = known.right;
  const seed = step.seed ?? unlessForgotten(person.totp);
  // An app enrolled in between wins.
  const isTheirs = seed !== undefined && (step.seed === null || person.totp === null);
  const isProven = await isStillProven(deps, step, known.right);
  if (isLeft(isProven)) return problemPageOf(isProven.left);
  const mayContinue = maySignIn(known.right) || (await isRecoverable(deps, known.right));
  if (!isTheirs || !mayContinue || !isProven.right) return redirect('/sign-in');
  const taken = await consumeTotpCode(deps.people.once, step, { seed, code, now: Date.parse(deps.clock.now()) });
  if (isLeft(taken)) return problemPageOf(taken.left);
  const login = unlessForgotten(person.profile?.login) ?? 'you';
  if (!taken.right)
    return totpPage({ visit: preSession, step, login, failure: 'That code is not valid, or was used before.' });
  if (!maySignIn(known.right)) {
    await deleteFlowState(deps, secondFactorFlowName(preSession));
    return (await beginRecovery(deps, known.right, authenticationResultOf(step))) ?? redirect('/sign-in');
  }
  const codes = await enrolTotpApp(deps, pageRequest, step);
  if (isLeft(codes)) return problemPageOf(codes.left);
  await deleteFlowState(deps, secondFactorFlowName(preSession));
  const done = await completeLogin(deps, pageRequest, { loaded: known.right, proof: authenticationResultOf(step) });
  const hasRecoveryCodes = codes.right.length > 0 && done.status === 200;
  return hasRecoveryCodes ? recoveryCodesPage(codes.right, step.continue, done.cookies) : done;
};

export const submitTotpCode = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  fields: Fields,
): Promise<PageAnswer> => {
  const loaded = await loadSecondFactor(deps, pageRequest);
  if (isLeft(loaded)) return loaded.left;
  const { visit: preSession, step } = loaded.right;
  const checked = checkCsrf(fields, {
    token: preSession,
    headers: pageRequest.headers,
    browsers: deps.browsers,
  });
  if (isLeft(checked)) return checked.left;
  const guessed = await requireTotpAttempt(deps, pageRequest, step);
  if (isLeft(guessed)) return guessed.left;
  const answer = await continueWithCode(deps, pageRequest, { pending: loaded.right, code: fields.code ?? '' });
  if (answer.status === 200) await guessed.right.refund();
  return answer;
};
