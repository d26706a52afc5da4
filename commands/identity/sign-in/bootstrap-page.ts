/** /sign-in/first: the first admin enrols with the code that the first start printed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { DisplayName, LoginName } from '../../../domain/identity/authenticators/events';
import { firstAdmin } from '../../../domain/identity/ids';
import { decode, type InputFault, record } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { checkCsrf, csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { loginField } from '../pages/login-field';
import { failurePage, page, problemPageOf, redirect } from '../pages/page';
import { createPerson, registerPrincipal } from '../people/create-person';
import { loadPerson } from '../people/load-person';
import { loadPrincipal } from '../principals/load-principal';
import { clientAddressOf } from '../sessions/establish-session';
import { ensurePreSession, findPreSession, type PreSession } from '../sessions/pre-session';
import { tenantOfFirstSignInCode } from '../tenants/first-sign-in-code';
import { requireSignInAttempt } from './attempt-limits';
import type { PageRequest, SignInDeps } from './dependencies';
import { enrolmentPath, issueEnrolment } from './enrolment/enrolment-link';
import { failureNotice } from './login-page';
import { refusedSignIn } from './refused-sign-in';

/** Delay after a wrong code, which has at least 16 characters. */
const pauseMilliseconds = 300;

/** What was typed before it was refused. */
interface TypedFields {
  readonly code?: string | undefined;
  readonly login?: string | undefined;
  readonly displayName?: string | undefined;
}

const bootstrapPage = (
  preSession: PreSession,
  { typed = {}, failure }: { readonly typed?: TypedFields; readonly failure?: string } = {},
): PageAnswer => ({
  ...(failure === undefined ? {} : refusedSignIn(failure)),
  ...page({
    title: 'First sign-in',
    status: failure === undefined ? 200 : 403,
    body: html`<p>The code was printed when Septet was first started, or issued with your organization. It works once: with it you become the first administrator, and choose how you sign in from then on.</p>
${failureNotice(failure)}
<form class="form" method="post" action="/sign-in/first">${csrfField(preSession)}
<label class="field"><span>Code</span><input name="code" value="${typed.code ?? ''}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" required autofocus></label>
${loginField({ value: typed.login ?? '', autocomplete: 'username', hint: 'What you will type to sign in: your e-mail address, or a user name such as ada.' })}
<div class="field"><label for="display-name">Your name</label><input id="display-name" name="displayName" value="${typed.displayName ?? ''}" autocomplete="name" maxlength="120" required aria-describedby="display-name-hint">
<p class="hint" id="display-name-hint">What others see, such as Ada Lovelace.</p></div>
<button class="button primary">Continue</button></form>
<p class="hint"><a href="/sign-in">I can sign in already</a></p>`,
    cookies: preSession.cookies,
  }),
});

export const showBootstrap = async (deps: SignInDeps, pageRequest: PageRequest): Promise<PageAnswer> => {
  const preSession = await ensurePreSession(deps, pageRequest.headers);
  return isLeft(preSession) ? problemPageOf(preSession.left) : bootstrapPage(preSession.right);
};

const bootstrapSpent = () =>
  failurePage(
    409,
    'The code is spent',
    'Someone signed in with it before. Ask an administrator for a link of your own.',
  );

/** The code works until an authenticator is enrolled; POST /v1/bootstrap redeems it, too. */
const isCodeSpent = async (deps: SignInDeps, tenantId: TenantId): Promise<Either<Problem, boolean>> => {
  const id = { tenantId, principalId: firstAdmin };
  const [principal, loaded] = [await loadPrincipal(deps, id), await loadPerson(deps, id)];
  if (isLeft(principal)) return left(problemOf(principal.left, {}));
  if (isLeft(loaded)) return loaded;
  const byApi = principal.right.kind === 'registered' && principal.right.credentials.size > 0;
  return right(loaded.right.person.hasEnrolled || byApi);
};

/** Installations of which the code is spent: that never changes, so their sign-in pages need not read it again. */
const spentInstallations = new WeakSet<SignInDeps['firstSignIn']>();

/** No administrator exists: only the first sign-in code works. */
export const isFirstSignInOpen = async (deps: SignInDeps): Promise<Either<Problem, boolean>> => {
  const { firstSignIn } = deps;
  if (firstSignIn.code === undefined || spentInstallations.has(firstSignIn)) return right(false);
  const spent = await isCodeSpent(deps, firstSignIn.tenantId);
  if (isLeft(spent)) return spent;
  if (spent.right) spentInstallations.add(firstSignIn);
  return right(!spent.right);
};

const FirstAdminNames = record('FirstAdminNames', { login: LoginName, displayName: DisplayName });

const namesFailure = (faults: readonly InputFault[]): string => {
  const found = faults.find(({ expected }) => expected.startsWith('text without'));
  return found === undefined ? 'Enter a login and your name.' : `Enter a login and your name, as ${found.expected}.`;
};

const codeFailure = 'This is not a code of a first start or of a new organization, or it has expired.';

type FirstAdminNames = TypeOf<typeof FirstAdminNames>;

const createFirstAdmin = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { tenantId, login, displayName }: FirstAdminNames & { readonly tenantId: TenantId },
): Promise<PageAnswer> => {
  const id = { tenantId, principalId: firstAdmin };
  const commandId = deps.random.uuid();
  const context = { requestId: pageRequest.requestId, actor: 'system:first-sign-in' };
  // POST /v1/bootstrap registers the same principal: of two that redeem one code at once, the first to register it goes on.
  const register = { type: 'RegisterPrincipal', ...id, principalType: 'HUMAN', at: deps.clock.now() } as const;
  const registered = await registerPrincipal(deps, id, { commands: [register], commandId, context });
  if (isLeft(registered)) return problemPageOf(registered.left);
  const spent = await isCodeSpent(deps, tenantId);
  if (isLeft(spent)) return problemPageOf(spent.left);
  if (spent.right) return bootstrapSpent();
  const made = await createPerson(deps, { ...id, login, displayName, email: null }, { commandId, context, more: [] });
  if (isLeft(made)) return problemPageOf(made.left);
  const enrolment = await issueEnrolment(deps, id, { commandId, context });
  return isLeft(enrolment) ? problemPageOf(enrolment.left) : redirect(enrolmentPath(enrolment.right));
};

export const submitBootstrap = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  fields: Fields,
): Promise<PageAnswer> => {
  const preSession = await findPreSession(deps, pageRequest.headers);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  const checked = checkCsrf(fields, {
    token: preSession.right,
    headers: pageRequest.headers,
    browsers: deps.browsers,
  });
  if (isLeft(checked)) return checked.left;
  if (preSession.right === null) return redirect('/sign-in/first');
  const guess = { kind: 'code', name: 'first-sign-in', address: clientAddressOf(pageRequest) } as const;
  const guessed = await requireSignInAttempt(deps.people.attempts, { ...guess, name: `first ${guess.address}` });
  if (isLeft(guessed)) return guessed.left;
  const meant = await tenantOfFirstSignInCode(deps, fields.code?.trim() ?? '');
  if (isLeft(meant)) return problemPageOf(problemOf(meant.left, {}));
  const tenantId = meant.right;
  const names = decode(FirstAdminNames, fields);
  if (tenantId === undefined) {
    await deps.pause(pauseMilliseconds);
    const failures = [codeFailure, ...(isLeft(names) ? [namesFailure(names.left)] : [])];
    return bootstrapPage(preSession.right, { typed: fields, failure: failures.join(' ') });
  }
  if (isLeft(names)) return bootstrapPage(preSession.right, { typed: fields, failure: namesFailure(names.left) });
  return createFirstAdmin(deps, pageRequest, { tenantId, ...names.right });
};
