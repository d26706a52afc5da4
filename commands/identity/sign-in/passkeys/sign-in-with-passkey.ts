/** POST /sign-in/passkey: signs in with a discoverable passkey, without a login. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode } from '../../../../domain/kernel/codec';
import type { Problem } from '../../../../infra/server/http/problem';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { checkCsrf, type Fields } from '../../pages/form';
import { problemPageOf } from '../../pages/page';
import { findIdentifierOwner } from '../../people/identifier-claims';
import { type LoadedPerson, loadPerson, loadPolicy, updateAuthenticators } from '../../people/load-person';
import { findPreSession } from '../../sessions/pre-session';
import { completeLogin, maySignIn } from '../complete-login';
import type { PageRequest, SignInDeps } from '../dependencies';
import { renderLogin } from '../login-page';
import { type LoginRequest, readLoginRequest } from '../login-request';
import { beginRecovery } from '../recover-access';
import { refusedSignIn } from '../refused-sign-in';
import { consumeChallenge } from './challenge';
import {
  type Assertion,
  Assertion as AssertionCodec,
  challengeFrom,
  relyingPartyOf,
  verifyAssertion,
} from './webauthn';

const passkeyRefused = {
  failure: 'That passkey is not known here, or the page was open for too long. Try again.',
  status: 401,
};

/** JSON of a form field; undefined: invalid. */
export const parseJson = (field: string | undefined): unknown => {
  try {
    return JSON.parse((field ?? '').slice(0, 65_536));
  } catch {
    return undefined;
  }
};

interface PasskeyAnswer {
  readonly purpose: LoginRequest;
  readonly answer: Assertion;
  readonly browser: string;
}

const findHolder = async (
  deps: SignInDeps,
  { purpose: { tenantId }, answer }: PasskeyAnswer,
): Promise<Either<Problem, LoadedPerson | undefined>> => {
  const claimed = await findIdentifierOwner(deps, { tenantId, kind: 'passkey', value: answer.id });
  if (isLeft(claimed)) return claimed;
  return claimed.right.owner === null
    ? right(undefined)
    : loadPerson(deps, { tenantId, principalId: claimed.right.owner });
};

/** Undefined: verification failed. */
const verifyPasskey = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  passkeyAnswer: PasskeyAnswer,
): Promise<Either<Problem, LoadedPerson | undefined>> => {
  const relyingParty = relyingPartyOf(deps.browsers.origins, pageRequest);
  const loaded = await findHolder(deps, passkeyAnswer);
  if (isLeft(loaded) || loaded.right === undefined || relyingParty === undefined)
    return isLeft(loaded) ? loaded : right(undefined);
  const passkey = loaded.right.person.passkeys.get(passkeyAnswer.answer.id);
  if (passkey === undefined) return right(undefined);
  const challenge = challengeFrom(passkeyAnswer.answer.response.clientDataJSON);
  const counter = await verifyAssertion(relyingParty, challenge, { answer: passkeyAnswer.answer, passkey });
  if (counter === undefined) return right(undefined);
  const loginRequest = { browser: passkeyAnswer.browser, what: 'sign-in', now: Date.parse(deps.clock.now()) } as const;
  const consumed = await consumeChallenge({ kms: deps.kms, once: deps.people.once }, challenge, loginRequest);
  if (isLeft(consumed) || !consumed.right) return isLeft(consumed) ? consumed : right(undefined);
  const { principalId } = loaded.right;
  const command = { type: 'UsePasskey', principalId, passkeyId: passkeyAnswer.answer.id, counter } as const;
  const used = await updateAuthenticators(deps, loaded.right, {
    command,
    context: { requestId: pageRequest.requestId, actor: principalId },
  });
  return isLeft(used) ? left(used.left) : loaded;
};

export const signInWithPasskey = async (
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
  const loginRequest = readLoginRequest(fields, deps.firstSignIn.tenantId);
  const policy = await loadPolicy(deps, loginRequest.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const answer = decode(AssertionCodec, parseJson(fields.answer));
  const refuse = async (reason: string): Promise<PageAnswer> => ({
    ...(await renderLogin(deps, pageRequest, { loginRequest, failed: passkeyRefused })),
    ...refusedSignIn(reason),
  });
  if (isLeft(answer)) return refuse('The browser sent no passkey.');
  if (!policy.right.rules.passkeys) return refuse('The sign-in policy allows no passkeys.');
  const loaded = await verifyPasskey(deps, pageRequest, {
    purpose: loginRequest,
    answer: answer.right,
    browser: preSession.right?.id ?? '',
  });
  if (isLeft(loaded)) return problemPageOf(loaded.left);
  const unusable = 'The passkey is not known, its person is not active, or the page was open for too long.';
  if (loaded.right === undefined) return refuse(unusable);
  const proof = { methods: ['hwk', 'user', 'mfa'], continue: loginRequest.continue };
  if (!maySignIn(loaded.right)) return (await beginRecovery(deps, loaded.right, proof)) ?? refuse(unusable);
  return completeLogin(deps, pageRequest, { loaded: loaded.right, proof });
};
