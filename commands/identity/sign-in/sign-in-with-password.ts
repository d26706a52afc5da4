/** POST /sign-in: signs in with login and password. A wrong password and an unknown login look the same. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { AttemptResult } from '../../../infra/ports/identity/attempt-limiter';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { limitHeaders } from '../../../infra/server/http/too-many-requests';
import { checkCsrf, type Fields } from '../pages/form';
import { problemPageOf } from '../pages/page';
import { findIdentifierOwner, identifierHash, normalizeLogin } from '../people/identifier-claims';
import { type LoadedPerson, loadPerson, loadPolicy, unlessForgotten } from '../people/load-person';
import { findDevice } from '../sessions/device-cookies';
import { clientAddressOf } from '../sessions/establish-session';
import { findPreSession } from '../sessions/pre-session';
import { countSignInAttempt, passwordLimitMessage } from './attempt-limits';
import { completeLogin, maySignIn } from './complete-login';
import type { PageRequest, SignInDeps } from './dependencies';
import { renderLogin, renderPasskeyRequired } from './login-page';
import { type LoginRequest, readLoginRequest, requiredSecondFactor } from './login-request';
import { isRecoverable } from './recover-access';
import { limitedSignIn, type RefusedSignIn, refusedSignIn } from './refused-sign-in';
import { beginSecondFactor } from './second-factor/second-factor-step';

const wrongCredentials = { failure: 'The login or the password is wrong.', status: 401 };
const maxInputLength = 512;

/** Unknown logins load this principal, so that timing reveals nothing. */
const placeholderId = '00000000-0000-4000-8000-000000000000' as PrincipalId;

/** Right: the person may sign in, or recover by a second factor. */
type VerifiedPassword = Either<RefusedSignIn, LoadedPerson>;

const verifyPassword = async (
  deps: SignInDeps,
  { tenantId }: LoginRequest,
  { login = '', password = '' }: Fields,
): Promise<Either<Problem, VerifiedPassword>> => {
  const claimed = await findIdentifierOwner(deps, { tenantId, kind: 'login', value: normalizeLogin(login) });
  if (isLeft(claimed)) return claimed;
  const loaded = await loadPerson(deps, { tenantId, principalId: claimed.right.owner ?? placeholderId });
  if (isLeft(loaded)) return loaded;
  const fits = await deps.people.passwords.verify(password, unlessForgotten(loaded.right.person.password));
  if (isLeft(fits)) return left(problemOf(fits.left, {}));
  if (fits.right && (maySignIn(loaded.right) || (await isRecoverable(deps, loaded.right))))
    return right(right(loaded.right));
  const { owner } = claimed.right;
  if (owner === null) return right(left(refusedSignIn('Nobody has this login.')));
  const reason = fits.right ? 'The person is not active.' : 'The password is wrong, or none is set.';
  return right(left(refusedSignIn(reason, { tenantId, principalId: owner })));
};

const continueWithPassword = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { loginRequest, fields }: { readonly loginRequest: LoginRequest; readonly fields: Fields },
): Promise<PageAnswer> => {
  const policy = await loadPolicy(deps, loginRequest.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const refuse = async (refused: RefusedSignIn): Promise<PageAnswer> => ({
    ...(await renderLogin(deps, pageRequest, { loginRequest, failed: wrongCredentials })),
    ...refused,
  });
  if (!policy.right.rules.passwords) return refuse(refusedSignIn('The sign-in policy allows no passwords.'));
  const loaded = await verifyPassword(deps, loginRequest, fields);
  if (isLeft(loaded)) return problemPageOf(loaded.left);
  const verified = loaded.right;
  if (isLeft(verified)) return refuse(verified.left);
  const candidate = verified.right;
  const { person } = candidate;
  const has = { totp: unlessForgotten(person.totp) !== undefined, passkeys: person.passkeys.size > 0 };
  const needed = requiredSecondFactor(policy.right, has, loginRequest.acr);
  // A person who recovers needs both factors, whatever the policy requires.
  if (!maySignIn(candidate))
    return has.totp
      ? beginSecondFactor(deps, loginRequest, { loaded: candidate, needed: 'totp' })
      : refuse(refusedSignIn('The person is compromised, and has no second factor to recover with.', candidate));
  if (needed === 'passkey') return renderPasskeyRequired(deps, pageRequest, { loginRequest, status: 403 });
  if (needed !== 'none') return beginSecondFactor(deps, loginRequest, { loaded: candidate, needed });
  return completeLogin(deps, pageRequest, {
    loaded: candidate,
    proof: { methods: ['pwd'], continue: loginRequest.continue },
  });
};

/** Unknown logins do the same work, so that timing reveals nothing. */
const findKnownDevice = async (
  deps: SignInDeps,
  { headers }: PageRequest,
  { loginRequest: { tenantId }, login }: { readonly loginRequest: LoginRequest; readonly login: string },
): Promise<Either<Problem, string | undefined>> => {
  if (deps.browsers.cookies.read(headers.cookie, 'device') === undefined) return right(undefined);
  const claimed = await findIdentifierOwner(deps, { tenantId, kind: 'login', value: login });
  if (isLeft(claimed)) return claimed;
  const loaded = await loadPerson(deps, { tenantId, principalId: claimed.right.owner ?? placeholderId });
  if (isLeft(loaded)) return loaded;
  const { principalId, securityEpoch } = loaded.right;
  return findDevice(deps, headers, { tenantId, principalId, securityEpoch: securityEpoch ?? 0 });
};

/** Password sign-in is blocked for now; the page still offers the other methods. */
const renderLimited = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  {
    loginRequest,
    login,
    taken,
    device,
  }: {
    readonly loginRequest: LoginRequest;
    readonly login: string;
    readonly taken: AttemptResult;
    readonly device: string | undefined;
  },
): Promise<PageAnswer> => {
  const { tenantId } = loginRequest;
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const claimed = await findIdentifierOwner(deps, { tenantId, kind: 'login', value: login });
  if (isLeft(claimed)) return problemPageOf(claimed.left);
  const { owner } = claimed.right;
  const failure = passwordLimitMessage(taken, policy.right, device);
  const page = await renderLogin(deps, pageRequest, { loginRequest, failed: { failure, status: 429 } });
  return {
    ...page,
    headers: { ...page.headers, ...limitHeaders(taken) },
    ...limitedSignIn(
      'Too many wrong passwords: try again later.',
      owner === null ? undefined : { tenantId, principalId: owner },
    ),
  };
};

export const signInWithPassword = async (
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
  const loginRequest = {
    ...readLoginRequest(fields, deps.firstSignIn.tenantId),
    hint: (fields.login ?? '').slice(0, 200),
  };
  const { login = '', password = '' } = fields;
  if (login === '' || password === '' || login.length > maxInputLength || password.length > maxInputLength)
    return renderLogin(deps, pageRequest, { loginRequest, failed: wrongCredentials });
  const value = normalizeLogin(login);
  const name = await identifierHash(deps, { tenantId: loginRequest.tenantId, kind: 'login', value });
  if (isLeft(name)) return problemPageOf(name.left);
  const device = await findKnownDevice(deps, pageRequest, { loginRequest, login: value });
  if (isLeft(device)) return problemPageOf(device.left);
  const guess = {
    kind: 'login',
    name: name.right,
    address: clientAddressOf(pageRequest),
    device: device.right,
  } as const;
  const guessed = await countSignInAttempt(deps.people.attempts, guess);
  if (isLeft(guessed)) return guessed.left;
  if (guessed.right.retryAfterSeconds > 0)
    return renderLimited(deps, pageRequest, {
      loginRequest,
      login: value,
      taken: guessed.right,
      device: device.right,
    });
  const answer = await continueWithPassword(deps, pageRequest, { loginRequest, fields });
  if (answer.status < 400) await guessed.right.refund();
  return answer;
};
