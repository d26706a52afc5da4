/** /account/totp: enrols an authenticator app, which counts after its first valid code. */
import { randomBytes } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { record, text } from '../../../domain/kernel/codec';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, problemPageOf, redirect } from '../pages/page';
import { loadPerson, unlessForgotten, updateAuthenticators } from '../people/load-person';
import { type CurrentSession, sessionOwnerKey } from '../sessions/current-session';
import { clientAddressOf } from '../sessions/establish-session';
import { requireSignInAttempt } from '../sign-in/attempt-limits';
import type { PageRequest, SignInDeps } from '../sign-in/dependencies';
import { deleteFlowState, loadFlowState, saveFlowState } from '../sign-in/flow-state';
import { failureNotice } from '../sign-in/login-page';
import { newRecoveryCodes, recoveryCodesPage, recoveryHashes } from '../sign-in/second-factor/recovery-codes';
import { consumeTotpCode } from '../sign-in/second-factor/second-factor-step';
import { codeField, totpSetup } from '../sign-in/second-factor/totp-page';
import { requireFormSession, requireSession } from './require-session';

const totpPath = '/account/totp';
const PendingEnrolment = record('TotpBegun', { seed: text('Seed', { maxLength: 64 }) });
const flowNameOf = ({ sessionId }: CurrentSession): string => `totp:${sessionId}`;

interface TotpView {
  readonly session: CurrentSession;
  readonly seed: string;
  readonly login: string;
  readonly failure?: string;
}

const totpPage = ({ session, seed, login, failure }: TotpView): PageAnswer =>
  page({
    title: 'Authenticator app',
    status: failure === undefined ? 200 : 422,
    body: html`${failureNotice(failure)}${totpSetup(seed, login)}
<form class="form" method="post" action="${totpPath}">${csrfField(session)}${codeField}
<button class="button primary">Set it up</button></form><p><a href="/account">Back</a></p>`,
  });

const loginNameOf = async (deps: SignInDeps, session: CurrentSession): Promise<string> => {
  const loaded = await loadPerson(deps, session);
  return isLeft(loaded) ? 'you' : (unlessForgotten(loaded.right.person.profile?.login) ?? 'you');
};

export const showTotp = async (deps: SignInDeps, pageRequest: PageRequest): Promise<PageAnswer> => {
  const session = await requireSession(deps, pageRequest, { path: totpPath, fresh: true });
  if (isLeft(session)) return session.left;
  const seed = randomBytes(20).toString('base64url');
  const put = await saveFlowState(deps, flowNameOf(session.right), { seed });
  if (isLeft(put)) return problemPageOf(put.left);
  return totpPage({ session: session.right, seed, login: await loginNameOf(deps, session.right) });
};

export const enrolTotp = async (deps: SignInDeps, pageRequest: PageRequest, fields: Fields): Promise<PageAnswer> => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: totpPath, fresh: true });
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const guess = {
    kind: 'code',
    name: sessionOwnerKey(tenantId, principalId),
    address: clientAddressOf(pageRequest),
  } as const;
  const guessed = await requireSignInAttempt(deps.people.attempts, guess);
  if (isLeft(guessed)) return guessed.left;
  const pending = await loadFlowState(deps, flowNameOf(session.right), PendingEnrolment);
  if (isLeft(pending)) return problemPageOf(pending.left);
  if (pending.right === undefined) return redirect(totpPath);
  const { seed } = pending.right;
  const taken = await consumeTotpCode(deps.people.once, session.right, {
    seed,
    code: fields.code ?? '',
    now: Date.parse(deps.clock.now()),
  });
  if (isLeft(taken)) return problemPageOf(taken.left);
  const failure = 'That code is not valid, or was used before.';
  if (!taken.right)
    return totpPage({ session: session.right, seed, login: await loginNameOf(deps, session.right), failure });
  const codes = newRecoveryCodes();
  const about = { principalId, seed, recovery: recoveryHashes(codes), at: deps.clock.now() };
  const command = { type: 'EnrolTotp', ...about } as const;
  const done = await updateAuthenticators(deps, session.right, {
    command,
    context: { requestId: pageRequest.requestId, actor: principalId },
  });
  if (isLeft(done)) return problemPageOf(done.left);
  await deleteFlowState(deps, flowNameOf(session.right));
  await guessed.right.refund();
  return recoveryCodesPage(codes, '/account');
};

/** Issues new recovery codes and voids the old ones. */
export const renewRecoveryCodes = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  fields: Fields,
): Promise<PageAnswer> => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: true });
  if (isLeft(session)) return session.left;
  const { principalId } = session.right;
  const codes = newRecoveryCodes();
  const command = {
    type: 'IssueRecoveryCodes',
    principalId,
    recovery: recoveryHashes(codes),
    at: deps.clock.now(),
  } as const;
  const done = await updateAuthenticators(deps, session.right, {
    command,
    context: { requestId: pageRequest.requestId, actor: principalId },
  });
  if (!isLeft(done)) return recoveryCodesPage(codes, '/account');
  return done.left.problem.status < 500 ? redirect('/account') : problemPageOf(done.left);
};
