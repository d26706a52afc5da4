/** Registers a passkey: verifies the browser's response and claims the credential id. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { PasskeyName } from '../../../../domain/identity/authenticators/events';
import { decode } from '../../../../domain/kernel/codec';
import type { Problem } from '../../../../infra/server/http/problem';
import { claimIdentifier } from '../../people/identifier-claims';
import { type LoadedPerson, unlessForgotten, updateAuthenticators } from '../../people/load-person';
import type { PageRequest, SignInDeps } from '../dependencies';
import { consumeChallenge, newChallenge } from './challenge';
import { parseJson } from './sign-in-with-passkey';
import { challengeFrom, Registration, registrationOptions, relyingPartyOf, verifyRegistration } from './webauthn';

/** WebAuthn options; undefined: passkeys do not work at this origin. */
export const passkeyOptions = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { loaded, browser }: { readonly loaded: LoadedPerson; readonly browser: string },
): Promise<Either<Problem, object | undefined>> => {
  const relyingParty = relyingPartyOf(deps.browsers.origins, pageRequest);
  if (relyingParty === undefined) return right(undefined);
  const now = Date.parse(deps.clock.now());
  const challenge = await newChallenge(deps.kms, { browser, what: 'register', now });
  if (isLeft(challenge)) return challenge;
  const { profile } = loaded.person;
  const login = unlessForgotten(profile?.login) ?? loaded.principalId;
  const names = { login, displayName: unlessForgotten(profile?.displayName) ?? login };
  return right(registrationOptions(relyingParty, challenge.right, { id: loaded, person: loaded.person, names }));
};

export interface PasskeyRegistration {
  readonly known: LoadedPerson;
  /** Pre-session or session of the challenge. */
  readonly browser: string;
  /** JSON from the form. */
  readonly answer: string | undefined;
  readonly name: string;
  /** Enrolment link; null: the person is signed in. */
  readonly enrolment: string | null;
}

/** Undefined: verification failed. */
const verifyNewPasskey = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { browser, answer }: PasskeyRegistration,
) => {
  const relyingParty = relyingPartyOf(deps.browsers.origins, pageRequest);
  const response = decode(Registration, parseJson(answer));
  if (relyingParty === undefined || isLeft(response)) return right(undefined);
  const challenge = challengeFrom(response.right.response.clientDataJSON);
  const credential = await verifyRegistration(relyingParty, challenge, response.right);
  if (credential === undefined) return right(undefined);
  const context = { browser, what: 'register', now: Date.parse(deps.clock.now()) } as const;
  const consumed = await consumeChallenge({ kms: deps.kms, once: deps.people.once }, challenge, context);
  if (isLeft(consumed)) return consumed;
  return right(consumed.right ? credential : undefined);
};

/** False: verification failed. */
export const registerPasskey = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  registration: PasskeyRegistration,
): Promise<Either<Problem, boolean>> => {
  const credential = await verifyNewPasskey(deps, pageRequest, registration);
  if (isLeft(credential)) return left(credential.left);
  if (credential.right === undefined) return right(false);
  const { id, publicKey, counter, transports = [] } = credential.right;
  const { known: loaded, enrolment } = registration;
  const { tenantId, principalId } = loaded;
  const acting = { requestId: pageRequest.requestId, actor: principalId };
  const claiming = { type: 'ClaimIdentifier', principalId, ...acting } as const;
  const claimed = await claimIdentifier(deps, { tenantId, kind: 'passkey', value: id }, claiming);
  if (isLeft(claimed)) return claimed;
  const key = Buffer.from(publicKey).toString('base64url');
  const named = decode(PasskeyName, registration.name);
  const name = isLeft(named) ? 'Passkey' : named.right;
  const about = { principalId, at: deps.clock.now(), enrolment };
  const command = { type: 'AddPasskey', ...about, passkeyId: id, publicKey: key, counter, transports, name } as const;
  const added = await updateAuthenticators(deps, loaded, { command, context: acting });
  return isLeft(added) ? added : right(true);
};
