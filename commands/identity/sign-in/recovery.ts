/** `/sign-in/recovery`: a code from paper in place of an app's, as often as those may be guessed. */
import { isLeft } from 'fp-ts/Either';
import type { PageAnswer } from '../../../infra/http/route';
import { checkCsrf, csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import type { Arrived, PeopleDeps } from './deps';
import { finish, maySignIn } from './finish';
import { changePerson, loadPerson } from './person';
import { recoveryHash } from './recovery-codes';
import {
  isStillProven,
  loadSecondStep,
  proofOf,
  type StepUnderWay,
  secondStepName,
  takeCodeGuess,
} from './second-step';
import { failureNotice } from './sign-in-page';
import { endUnderWay } from './under-way';

const path = '/sign-in/recovery';

const recoveryPage = ({ visit }: StepUnderWay, failure?: string): PageAnswer =>
  page({
    title: 'Enter a recovery code',
    status: failure === undefined ? 200 : 401,
    body: html`${failureNotice(failure)}
<p>One of those that you were given when the authenticator app was set up. It is spent by this.</p>
<form class="form" method="post" action="${path}">${csrfField(visit)}
<label class="field"><span>Recovery code</span><input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required autofocus></label>
<button class="button primary">Go on</button></form>
<p class="hint"><a href="/sign-in/code">Use the app</a></p>`,
  });

/** Who is only setting an app up has none. */
const hasApp = ({ step }: StepUnderWay): boolean => step.seed === null;

export const showRecovery = async (deps: PeopleDeps, arrived: Arrived): Promise<PageAnswer> => {
  const loaded = await loadSecondStep(deps, arrived);
  if (isLeft(loaded)) return loaded.left;
  return hasApp(loaded.right) ? recoveryPage(loaded.right) : redirect('/sign-in/code');
};

const proceed = async (deps: PeopleDeps, arrived: Arrived, [under, code]: readonly [StepUnderWay, string]) => {
  const { visit, step } = under;
  const known = await loadPerson(deps, step);
  if (isLeft(known)) return problemPageOf(known.left);
  const proven = await isStillProven(deps, step, known.right);
  if (isLeft(proven)) return problemPageOf(proven.left);
  if (!maySignIn(known.right) || !proven.right) return redirect('/sign-in');
  const { principalId } = step;
  const command = { type: 'UseRecoveryCode', principalId, hash: recoveryHash(code), at: deps.clock.now() } as const;
  const used = await changePerson(deps, step, [command, { requestId: arrived.requestId, actor: principalId }]);
  if (isLeft(used)) {
    const { status, detail } = used.left.problem;
    return status < 500 ? recoveryPage(under, detail) : problemPageOf(used.left);
  }
  await endUnderWay(deps, secondStepName(visit));
  return finish(deps, arrived, [known.right, proofOf(step)]);
};

export const signInWithRecovery = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const loaded = await loadSecondStep(deps, arrived);
  if (isLeft(loaded)) return loaded.left;
  const { visit, step } = loaded.right;
  const checked = checkCsrf(fields, { token: visit, headers: arrived.headers, origins: deps.browsers.origins });
  if (isLeft(checked)) return checked.left;
  if (!hasApp(loaded.right)) return redirect('/sign-in/code');
  const guessed = await takeCodeGuess(deps, arrived, step);
  if (isLeft(guessed)) return guessed.left;
  const answer = await proceed(deps, arrived, [loaded.right, fields.code ?? '']);
  if (answer.status === 200) await guessed.right.giveBack();
  return answer;
};
