/** `/sign-in/first`: with the code that the first start printed, the first admin becomes a person who can sign in. */
import { hash, timingSafeEqual } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { DisplayName, LoginName } from '../../../domain/identity/authenticators/events';
import { firstAdmin } from '../../../domain/identity/streams';
import { problemOf } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { checkCsrf, csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { failurePage, page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { loadPrincipal } from '../principals/load-principal';
import { addressOf } from '../sessions/establish';
import { anyVisit, knownVisit, type Visit } from '../sessions/visit';
import type { Arrived, PeopleDeps } from './deps';
import { enrolmentPath, issueEnrolment } from './enrolment';
import { takeGuess } from './limits';
import { makePerson } from './new-person';
import { loadPerson } from './person';
import { failureNotice } from './sign-in-page';

/** A wrong code waits this long; it has at least 16 characters. */
const pauseMilliseconds = 300;

const same = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

const firstPage = (visit: Visit, failure?: string): PageAnswer =>
  page({
    title: 'First sign-in',
    status: failure === undefined ? 200 : 403,
    body: html`<p>The code was printed when Septet was first started.</p>
${failureNotice(failure)}
<form class="form" method="post" action="/sign-in/first">${csrfField(visit)}
<label class="field"><span>Code</span><input name="code" autocomplete="off" maxlength="200" required></label>
<label class="field"><span>Login</span><input name="login" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="200" required></label>
<label class="field"><span>Your name</span><input name="displayName" autocomplete="name" maxlength="120" required></label>
<button class="button primary">Go on</button></form>`,
    cookies: visit.cookies,
  });

export const showFirst = async (deps: PeopleDeps, arrived: Arrived): Promise<PageAnswer> => {
  const visit = await anyVisit(deps, arrived.headers);
  return isLeft(visit) ? problemPageOf(visit.left) : firstPage(visit.right);
};

const spent = () =>
  failurePage(
    409,
    'The code is spent',
    'Somebody signed in with it before. Ask an administrator for a link of your own.',
  );

/** Whoever has the code may go on until a way to sign in is set up; the API's own first sign-in spends it too. */
const make = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const { tenantId } = deps.firstSignIn;
  const id = { tenantId, principalId: firstAdmin };
  const [principal, known] = [await loadPrincipal(deps, id), await loadPerson(deps, id)];
  if (isLeft(principal)) return problemPageOf(problemOf(principal.left, {}));
  if (isLeft(known)) return problemPageOf(known.left);
  const { person } = known.right;
  const byApi = principal.right.kind === 'registered' && principal.right.credentials.size > 0;
  if (person.hasEnrolled || byApi) return spent();
  const { login = '', displayName = '' } = fields;
  const commandId = deps.random.uuid();
  const acting = { requestId: arrived.requestId, actor: 'system:first-sign-in' };
  const made = await makePerson(deps, { ...id, login, displayName, email: null }, [commandId, acting, []]);
  if (isLeft(made)) return problemPageOf(made.left);
  const enrolment = await issueEnrolment(deps, id, [commandId, acting]);
  return isLeft(enrolment) ? problemPageOf(enrolment.left) : redirect(enrolmentPath(enrolment.right));
};

export const signInFirst = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const visit = await knownVisit(deps, arrived.headers);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const checked = checkCsrf(fields, { token: visit.right, headers: arrived.headers, origins: deps.browsers.origins });
  if (isLeft(checked)) return checked.left;
  if (visit.right === null) return redirect('/sign-in/first');
  const guess = { kind: 'code', name: 'first-sign-in', address: addressOf(arrived) } as const;
  const guessed = await takeGuess(deps.people.attempts, { ...guess, name: `first ${guess.address}` });
  if (isLeft(guessed)) return guessed.left;
  const { code } = deps.firstSignIn;
  if (code === undefined || !same(fields.code ?? '', code)) {
    await deps.pause(pauseMilliseconds);
    return firstPage(visit.right, 'This is not the code that was printed at the first start.');
  }
  if (!LoginName.is(fields.login?.trim()) || !DisplayName.is(fields.displayName))
    return firstPage(visit.right, 'Choose a login and say your name.');
  return make(deps, arrived, fields);
};
