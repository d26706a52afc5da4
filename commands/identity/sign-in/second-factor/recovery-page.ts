/** /sign-in/recovery: a recovery code instead of a TOTP code, under the same attempt limit. */
import { isLeft } from 'fp-ts/Either';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { checkCsrf, csrfField, type Fields } from '../../pages/form';
import { html } from '../../pages/html';
import { page, problemPageOf, redirect } from '../../pages/page';
import { loadPerson, updateAuthenticators } from '../../people/load-person';
import { completeLogin, maySignIn } from '../complete-login';
import type { PageRequest, SignInDeps } from '../dependencies';
import { deleteFlowState } from '../flow-state';
import { failureNotice } from '../login-page';
import { defaultContinuePath } from '../login-request';
import { refusedSignIn } from '../refused-sign-in';
import { recoveryHash } from './recovery-codes';
import {
  authenticationResultOf,
  isStillProven,
  loadSecondFactor,
  type PendingSecondFactor,
  requireTotpAttempt,
  secondFactorFlowName,
} from './second-factor-step';

const recoveryPath = '/sign-in/recovery';

const recoveryPage = ({ visit: preSession, step }: PendingSecondFactor, failure?: string): PageAnswer => ({
  ...(failure === undefined ? {} : refusedSignIn('The recovery code is wrong, or was used before.', step)),
  ...page({
    title: 'Enter a recovery code',
    status: failure === undefined ? 200 : 401,
    body: html`${failureNotice(failure)}
<p>One of the codes from when you set up the authenticator app. Each works once.</p>
<form class="form" method="post" action="${recoveryPath}">${csrfField(preSession)}
<label class="field"><span>Recovery code</span><input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required autofocus></label>
<button class="button primary">Continue</button></form>
<p class="hint"><a href="/sign-in/code">Use the app</a></p>`,
  }),
});

/** During enrolment there are no recovery codes yet. */
const requiresTotp = ({ step }: PendingSecondFactor): boolean => step.seed === null;

export const showRecoveryPage = async (deps: SignInDeps, pageRequest: PageRequest): Promise<PageAnswer> => {
  const loaded = await loadSecondFactor(deps, pageRequest);
  if (isLeft(loaded)) return loaded.left;
  return requiresTotp(loaded.right) ? recoveryPage(loaded.right) : redirect('/sign-in/code');
};

const continueWithRecoveryCode = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { under, code }: { readonly under: PendingSecondFactor; readonly code: string },
) => {
  const { visit: preSession, step } = under;
  const known = await loadPerson(deps, step);
  if (isLeft(known)) return problemPageOf(known.left);
  const isProven = await isStillProven(deps, step, known.right);
  if (isLeft(isProven)) return problemPageOf(isProven.left);
  if (!maySignIn(known.right) || !isProven.right) return redirect('/sign-in');
  const { principalId } = step;
  const command = { type: 'UseRecoveryCode', principalId, hash: recoveryHash(code), at: deps.clock.now() } as const;
  const used = await updateAuthenticators(deps, step, {
    command,
    context: { requestId: pageRequest.requestId, actor: principalId },
  });
  if (isLeft(used)) {
    const { status, detail } = used.left.problem;
    return status < 500 ? recoveryPage(under, detail) : problemPageOf(used.left);
  }
  await deleteFlowState(deps, secondFactorFlowName(preSession));
  const proof = authenticationResultOf(step);
  // A person without the app needs to see how many codes are left, and where to set up another app.
  const onwards = proof.continue === defaultContinuePath ? '/account' : proof.continue;
  return completeLogin(deps, pageRequest, { loaded: known.right, proof: { ...proof, continue: onwards } });
};

export const submitRecoveryCode = async (
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
  if (!requiresTotp(loaded.right)) return redirect('/sign-in/code');
  const guessed = await requireTotpAttempt(deps, pageRequest, step);
  if (isLeft(guessed)) return guessed.left;
  const answer = await continueWithRecoveryCode(deps, pageRequest, { under: loaded.right, code: fields.code ?? '' });
  if (answer.status === 200) await guessed.right.refund();
  return answer;
};
