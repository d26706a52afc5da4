/** `/sign-in/enrol`: whoever has the link sets up how they will sign in, and is signed in. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { acceptablePassword } from '../../../domain/identity/authenticators/password-rules';
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { problemOf } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { checkCsrf, type Fields } from '../pages/form';
import { failurePage } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { endSessions } from '../sessions/end';
import { anyVisit, type Visit } from '../sessions/visit';
import { purposeOf, secondFactor } from './asked';
import type { Arrived, PeopleDeps } from './deps';
import { type Enrolling, enrolPage } from './enrol-page';
import { findEnrolment } from './enrolment';
import { finish, maySignIn } from './finish';
import { changePerson, type Known, kept, loadPerson, loadPolicy } from './person';
import { registerPasskey } from './register-passkey';
import { beginSecondStep } from './second-step';

const spent = () =>
  failurePage(410, 'This link is spent', 'It was used before, or has expired. Ask whoever sent it for a new one.');

const mayNot = () => failurePage(403, 'You cannot sign in', 'Ask an administrator.');

/** Left: the page to answer with. Who is suspended sets nothing up that would be there when they are back. */
const found = async (deps: PeopleDeps, visit: Visit, token: string): Promise<Either<PageAnswer, Enrolling>> => {
  const known = await findEnrolment(deps, token);
  if (isLeft(known)) return left(problemPageOf(known.left));
  if (known.right === undefined) return left(spent());
  if (!maySignIn(known.right)) return left(mayNot());
  const policy = await loadPolicy(deps, known.right.tenantId);
  return isLeft(policy)
    ? left(problemPageOf(policy.left))
    : right({ visit, known: known.right, policy: policy.right, token });
};

export const showEnrolment = async (
  deps: PeopleDeps,
  arrived: Arrived,
  { token = '' }: Fields,
): Promise<PageAnswer> => {
  const visit = await anyVisit(deps, arrived.headers);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const asked = await found(deps, visit.right, token);
  return isLeft(asked) ? asked.left : enrolPage(deps, arrived, asked.right);
};

/** Left: the page to answer with. */
const begun = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [fields, way]: readonly [Fields, 'passwords' | 'passkeys'],
): Promise<Either<PageAnswer, Enrolling>> => {
  const visit = await anyVisit(deps, arrived.headers);
  if (isLeft(visit)) return left(problemPageOf(visit.left));
  const checked = checkCsrf(fields, { token: visit.right, headers: arrived.headers, origins: deps.browsers.origins });
  if (isLeft(checked)) return checked;
  const asked = await found(deps, visit.right, fields.token ?? '');
  if (isLeft(asked) || asked.right.policy.rules[way]) return asked;
  return left(await enrolPage(deps, arrived, { ...asked.right, failure: 'Nobody signs in that way here.' }));
};

/** What they may do stands in their own stream: read again, for it has just changed. */
const signedIn = async (deps: PeopleDeps, arrived: Arrived, [before, methods]: readonly [Known, readonly string[]]) => {
  const known = await loadPerson(deps, before);
  if (isLeft(known)) return problemPageOf(known.left);
  if (!maySignIn(known.right)) return mayNot();
  return finish(deps, arrived, [known.right, { methods, continue: '/account' }]);
};

/** A link is no second factor: who has one goes through it, and who must have one sets it up. */
const afterPassword = (deps: PeopleDeps, arrived: Arrived, [known, policy]: readonly [Known, SignInPolicy]) => {
  const { tenantId, person } = known;
  // A lost passkey is what links are for.
  const needed = secondFactor(policy, { totp: kept(person.totp) !== undefined, passkeys: false }, undefined);
  if (needed !== 'totp' && needed !== 'enrol') return signedIn(deps, arrived, [known, ['pwd']]);
  return beginSecondStep(deps, purposeOf({ tenant: tenantId }, tenantId), [known, needed]);
};

export const enrolPassword = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const asked = await begun(deps, arrived, [fields, 'passwords']);
  if (isLeft(asked)) return asked.left;
  const { known } = asked.right;
  const accepted = acceptablePassword(fields.password ?? '', kept(known.person.profile?.login) ?? '');
  if (isLeft(accepted)) return enrolPage(deps, arrived, { ...asked.right, failure: accepted.left.detail });
  const hash = await deps.people.passwords.hash(accepted.right);
  if (isLeft(hash)) return problemPageOf(problemOf(hash.left, {}));
  const { principalId, person } = known;
  const about = { principalId, at: deps.clock.now(), enrolment: person.enrolment?.hash ?? null };
  const acting = { requestId: arrived.requestId, actor: principalId };
  const set = await changePerson(deps, known, [{ type: 'SetPassword', ...about, hash: hash.right }, acting]);
  if (isLeft(set)) return problemPageOf(set.left);
  // As when it is changed: whoever knew the one before may sit somewhere.
  const reason = 'The password was changed.';
  const ended = await endSessions(deps, { tenantId: known.tenantId, principalId, reason, ...acting });
  if (isLeft(ended)) return problemPageOf(ended.left);
  const now = await loadPerson(deps, known);
  return isLeft(now) ? problemPageOf(now.left) : afterPassword(deps, arrived, [now.right, asked.right.policy]);
};

export const enrolPasskey = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const asked = await begun(deps, arrived, [fields, 'passkeys']);
  if (isLeft(asked)) return asked.left;
  const { known, visit } = asked.right;
  const enrolment = known.person.enrolment?.hash ?? null;
  const registering = { known, browser: visit.id, answer: fields.answer, name: '', enrolment };
  const done = await registerPasskey(deps, arrived, registering);
  if (isLeft(done)) return problemPageOf(done.left);
  if (!done.right)
    return enrolPage(deps, arrived, { ...asked.right, failure: 'The passkey could not be verified. Try again.' });
  return signedIn(deps, arrived, [known, ['hwk', 'user', 'mfa']]);
};
