/** `POST /sign-in/passkey`: what the browser's passkey said. It names itself, so no login is asked for, and nothing can be guessed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode } from '../../../domain/kernel/codec';
import type { Problem } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { checkCsrf, type Fields } from '../pages/form';
import { problemPageOf } from '../pages/problem-page';
import { knownVisit } from '../sessions/visit';
import { type Purpose, purposeOf } from './asked';
import { spendChallenge } from './challenge';
import type { Arrived, PeopleDeps } from './deps';
import { finish, maySignIn } from './finish';
import { ownerOf } from './identifiers';
import { type Assertion, Assertion as AssertionCodec, challengeIn, placeOf, verifyAssertion } from './passkeys';
import { changePerson, type Known, loadPerson, loadPolicy } from './person';
import { showSignIn } from './show';

const refused = {
  failure: 'That passkey is not known here, or the page was open for too long. Try again.',
  status: 401,
};

/** JSON in a field of a form: what is none is nobody's passkey. */
export const parsed = (field: string | undefined): unknown => {
  try {
    return JSON.parse((field ?? '').slice(0, 65_536));
  } catch {
    return undefined;
  }
};

interface Said {
  readonly purpose: Purpose;
  readonly answer: Assertion;
  readonly browser: string;
}

const holder = async (
  deps: PeopleDeps,
  { purpose: { tenantId }, answer }: Said,
): Promise<Either<Problem, Known | undefined>> => {
  const claimed = await ownerOf(deps, { tenantId, kind: 'passkey', value: answer.id });
  if (isLeft(claimed)) return claimed;
  return claimed.right.owner === null
    ? right(undefined)
    : loadPerson(deps, { tenantId, principalId: claimed.right.owner });
};

/** Undefined: it does not fit. */
const verified = async (
  deps: PeopleDeps,
  arrived: Arrived,
  said: Said,
): Promise<Either<Problem, Known | undefined>> => {
  const place = placeOf(deps.browsers.origins, arrived);
  const known = await holder(deps, said);
  if (isLeft(known) || known.right === undefined || place === undefined)
    return isLeft(known) ? known : right(undefined);
  const passkey = known.right.person.passkeys.get(said.answer.id);
  if (passkey === undefined) return right(undefined);
  const challenge = challengeIn(said.answer.response.clientDataJSON);
  const counter = await verifyAssertion(place, challenge, [said.answer, passkey]);
  if (counter === undefined) return right(undefined);
  const purpose = { browser: said.browser, what: 'sign-in', now: Date.parse(deps.clock.now()) } as const;
  const spent = await spendChallenge({ kms: deps.kms, once: deps.people.once }, challenge, purpose);
  if (isLeft(spent) || !spent.right) return isLeft(spent) ? spent : right(undefined);
  const { principalId } = known.right;
  const command = { type: 'UsePasskey', principalId, passkeyId: said.answer.id, counter } as const;
  const used = await changePerson(deps, known.right, [command, { requestId: arrived.requestId, actor: principalId }]);
  return isLeft(used) ? left(used.left) : known;
};

export const signInWithPasskey = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const visit = await knownVisit(deps, arrived.headers);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const checked = checkCsrf(fields, { token: visit.right, headers: arrived.headers, origins: deps.browsers.origins });
  if (isLeft(checked)) return checked.left;
  const purpose = purposeOf(fields, deps.firstSignIn.tenantId);
  const policy = await loadPolicy(deps, purpose.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const answer = decode(AssertionCodec, parsed(fields.answer));
  if (isLeft(answer) || !policy.right.rules.passkeys) return showSignIn(deps, arrived, [purpose, refused]);
  const known = await verified(deps, arrived, { purpose, answer: answer.right, browser: visit.right?.id ?? '' });
  if (isLeft(known)) return problemPageOf(known.left);
  if (known.right === undefined || !maySignIn(known.right)) return showSignIn(deps, arrived, [purpose, refused]);
  return finish(deps, arrived, [known.right, { methods: ['hwk', 'user', 'mfa'], continue: purpose.continue }]);
};
