/** `/sign-in/code`: the second step of signing in with a password, or through a provider that proves one factor. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Problem } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { checkCsrf, csrfField, type Fields } from '../pages/form';
import { type Html, html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import type { Visit } from '../sessions/visit';
import type { Arrived, PeopleDeps } from './deps';
import { finish, maySignIn } from './finish';
import { changePerson, kept, loadPerson } from './person';
import { hashesOf, newRecoveryCodes } from './recovery-codes';
import { recoveryCodesPage } from './recovery-codes-page';
import {
  isStillProven,
  loadSecondStep,
  proofOf,
  type SecondStep,
  type StepUnderWay,
  secondStepName,
  takeCode,
  takeCodeGuess,
} from './second-step';
import { failureNotice } from './sign-in-page';
import { base32, keyUri } from './totp';
import { endUnderWay } from './under-way';

export const setUp = (seed: string, login: string): Html => {
  const bytes = Buffer.from(seed, 'base64url');
  return html`<p>Add this key to an authenticator app, then enter the code that it shows.</p>
<p class="code" data-key>${base32(bytes)}</p>
<p><a href="${keyUri(bytes, 'Septet', login)}">Open an app on this device</a></p>`;
};

export const codeField = html`<label class="field"><span>Code</span><input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,8}" maxlength="8" required autofocus></label>`;

interface Shown {
  readonly step: SecondStep;
  readonly visit: Visit;
  readonly login: string;
  readonly failure?: string;
}

const codePage = ({ step, visit, login, failure }: Shown): PageAnswer =>
  page({
    title: step.seed === null ? 'Enter your code' : 'Set up a second factor',
    status: failure === undefined ? 200 : 401,
    body: html`${failureNotice(failure)}
${step.seed === null ? html`<p>Your authenticator app shows a code of six digits.</p>` : setUp(step.seed, login)}
<form class="form" method="post" action="/sign-in/code">${csrfField(visit)}${codeField}
<button class="button primary">Go on</button></form>
${step.seed === null && html`<p class="hint"><a href="/sign-in/recovery">Use a recovery code</a></p>`}
<p class="hint"><a href="/sign-in?${new URLSearchParams({ tenant: step.tenantId, continue: step.continue }).toString()}">Start again</a></p>`,
  });

const loginOf = async (deps: PeopleDeps, step: SecondStep): Promise<Either<Problem, string>> => {
  const known = await loadPerson(deps, step);
  return isLeft(known) ? known : { ...known, right: kept(known.right.person.profile?.login) ?? 'you' };
};

export const showCode = async (deps: PeopleDeps, arrived: Arrived): Promise<PageAnswer> => {
  const loaded = await loadSecondStep(deps, arrived);
  if (isLeft(loaded)) return loaded.left;
  const login = await loginOf(deps, loaded.right.step);
  return isLeft(login) ? problemPageOf(login.left) : codePage({ ...loaded.right, login: login.right });
};

/** What was set up counts from here on. Answers the codes for when it is lost; none where the person has an app already. */
const enrolApp = async (
  deps: PeopleDeps,
  { requestId }: Arrived,
  step: SecondStep,
): Promise<Either<Problem, readonly string[]>> => {
  const { principalId, seed } = step;
  if (seed === null) return right([]);
  const codes = newRecoveryCodes();
  const about = { principalId, seed, recovery: hashesOf(codes), at: deps.clock.now() };
  const enrolled = await changePerson(deps, step, [
    { type: 'EnrolTotp', ...about },
    { requestId, actor: principalId },
  ]);
  return isLeft(enrolled) ? enrolled : right(codes);
};

const proceed = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [{ visit, step }, code]: readonly [StepUnderWay, string],
) => {
  const known = await loadPerson(deps, step);
  if (isLeft(known)) return problemPageOf(known.left);
  const { person } = known.right;
  const seed = step.seed ?? kept(person.totp);
  // Somebody set one up meanwhile: theirs counts.
  const isTheirs = seed !== undefined && (step.seed === null || person.totp === null);
  const proven = await isStillProven(deps, step, known.right);
  if (isLeft(proven)) return problemPageOf(proven.left);
  if (!isTheirs || !maySignIn(known.right) || !proven.right) return redirect('/sign-in');
  const taken = await takeCode(deps.people.once, step, [seed, code, Date.parse(deps.clock.now())]);
  if (isLeft(taken)) return problemPageOf(taken.left);
  const login = kept(person.profile?.login) ?? 'you';
  if (!taken.right) return codePage({ visit, step, login, failure: 'That code is not valid, or was used before.' });
  const codes = await enrolApp(deps, arrived, step);
  if (isLeft(codes)) return problemPageOf(codes.left);
  await endUnderWay(deps, secondStepName(visit));
  const done = await finish(deps, arrived, [known.right, proofOf(step)]);
  const isShown = codes.right.length > 0 && done.status === 200;
  return isShown ? recoveryCodesPage(codes.right, step.continue, done.cookies) : done;
};

export const signInWithCode = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const loaded = await loadSecondStep(deps, arrived);
  if (isLeft(loaded)) return loaded.left;
  const { visit, step } = loaded.right;
  const checked = checkCsrf(fields, { token: visit, headers: arrived.headers, origins: deps.browsers.origins });
  if (isLeft(checked)) return checked.left;
  const guessed = await takeCodeGuess(deps, arrived, step);
  if (isLeft(guessed)) return guessed.left;
  const answer = await proceed(deps, arrived, [loaded.right, fields.code ?? '']);
  if (answer.status === 200) await guessed.right.giveBack();
  return answer;
};
