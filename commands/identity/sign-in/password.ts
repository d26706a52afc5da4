/** `POST /sign-in`: a login and its password. Nothing tells a wrong password from a login that nobody has. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { limitedHeaders } from '../../../infra/http/limited';
import { type Problem, problemOf } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import type { Taken } from '../../../infra/ports/attempts';
import { checkCsrf, type Fields } from '../pages/form';
import { problemPageOf } from '../pages/problem-page';
import { findDevice } from '../sessions/devices';
import { addressOf } from '../sessions/establish';
import { knownVisit } from '../sessions/visit';
import { type Purpose, purposeOf, secondFactor } from './asked';
import type { Arrived, PeopleDeps } from './deps';
import { finish, maySignIn } from './finish';
import { identifierHash, normalLogin, ownerOf } from './identifiers';
import { closedPasswordText, tryGuess } from './limits';
import { type Known, kept, loadPerson, loadPolicy } from './person';
import { beginSecondStep } from './second-step';
import { showPasskeyNeeded, showSignIn } from './show';

const wrong = { failure: 'The login or the password is wrong.', status: 401 };
const tooLong = 512;

/** Nobody's, but read as anybody's is: the same work for logins that do not exist. */
const nobodyId = '00000000-0000-4000-8000-000000000000' as PrincipalId;

type Allowed = Known & { readonly securityEpoch: number };

/** Undefined: wrong, whatever of it is. */
const check = async (
  deps: PeopleDeps,
  { tenantId }: Purpose,
  { login = '', password = '' }: Fields,
): Promise<Either<Problem, Allowed | undefined>> => {
  const claimed = await ownerOf(deps, { tenantId, kind: 'login', value: normalLogin(login) });
  if (isLeft(claimed)) return claimed;
  const known = await loadPerson(deps, { tenantId, principalId: claimed.right.owner ?? nobodyId });
  if (isLeft(known)) return known;
  const fits = await deps.people.passwords.fits(password, kept(known.right.person.password));
  if (isLeft(fits)) return left(problemOf(fits.left, {}));
  return right(fits.right && maySignIn(known.right) ? known.right : undefined);
};

const proceed = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [purpose, fields]: readonly [Purpose, Fields],
): Promise<PageAnswer> => {
  const policy = await loadPolicy(deps, purpose.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  if (!policy.right.rules.passwords) return showSignIn(deps, arrived, [purpose, wrong]);
  const known = await check(deps, purpose, fields);
  if (isLeft(known)) return problemPageOf(known.left);
  if (known.right === undefined) return showSignIn(deps, arrived, [purpose, wrong]);
  const { person } = known.right;
  const has = { totp: kept(person.totp) !== undefined, passkeys: person.passkeys.size > 0 };
  const needed = secondFactor(policy.right, has, purpose.acr);
  if (needed === 'passkey') return showPasskeyNeeded(deps, arrived, [purpose, 403]);
  if (needed !== 'none') return beginSecondStep(deps, purpose, [known.right, needed]);
  return finish(deps, arrived, [known.right, { methods: ['pwd'], continue: purpose.continue }]);
};

/** A login that nobody has is looked up as anybody's is, so that the time tells nothing. */
const knownDevice = async (
  deps: PeopleDeps,
  { headers }: Arrived,
  [{ tenantId }, login]: readonly [Purpose, string],
): Promise<Either<Problem, string | undefined>> => {
  if (deps.browsers.cookies.read(headers.cookie, 'device') === undefined) return right(undefined);
  const claimed = await ownerOf(deps, { tenantId, kind: 'login', value: login });
  if (isLeft(claimed)) return claimed;
  const known = await loadPerson(deps, { tenantId, principalId: claimed.right.owner ?? nobodyId });
  if (isLeft(known)) return known;
  const { principalId, securityEpoch } = known.right;
  return findDevice(deps, headers, { tenantId, principalId, securityEpoch: securityEpoch ?? 0 });
};

/** The password is closed for now; the page still offers every other way in. */
const showClosed = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [purpose, taken, device]: readonly [Purpose, Taken, string | undefined],
): Promise<PageAnswer> => {
  const policy = await loadPolicy(deps, purpose.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const failure = closedPasswordText(taken, policy.right, device);
  const shown = await showSignIn(deps, arrived, [purpose, { failure, status: 429 }]);
  return { ...shown, headers: { ...shown.headers, ...limitedHeaders(taken) } };
};

export const signInWithPassword = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const visit = await knownVisit(deps, arrived.headers);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const checked = checkCsrf(fields, { token: visit.right, headers: arrived.headers, origins: deps.browsers.origins });
  if (isLeft(checked)) return checked.left;
  const purpose = { ...purposeOf(fields, deps.firstSignIn.tenantId), hint: (fields.login ?? '').slice(0, 200) };
  const { login = '', password = '' } = fields;
  if (login === '' || password === '' || login.length > tooLong || password.length > tooLong)
    return showSignIn(deps, arrived, [purpose, wrong]);
  const value = normalLogin(login);
  const name = await identifierHash(deps, { tenantId: purpose.tenantId, kind: 'login', value });
  if (isLeft(name)) return problemPageOf(name.left);
  const device = await knownDevice(deps, arrived, [purpose, value]);
  if (isLeft(device)) return problemPageOf(device.left);
  const guess = { kind: 'login', name: name.right, address: addressOf(arrived), device: device.right } as const;
  const guessed = await tryGuess(deps.people.attempts, guess);
  if (isLeft(guessed)) return guessed.left;
  if (guessed.right.retryAfterSeconds > 0) return showClosed(deps, arrived, [purpose, guessed.right, device.right]);
  const answer = await proceed(deps, arrived, [purpose, fields]);
  if (answer.status < 400) await guessed.right.giveBack();
  return answer;
};
