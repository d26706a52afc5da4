/** Takes a new passkey: what the browser made for a challenge of ours, claimed by one person. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode } from '../../../domain/kernel/codec';
import type { Problem } from '../../../infra/http/problem';
import { newChallenge, spendChallenge } from './challenge';
import type { Arrived, PeopleDeps } from './deps';
import { claimIdentifier } from './identifiers';
import { parsed } from './passkey';
import { challengeIn, placeOf, Registration, registrationOptions, verifyRegistration } from './passkeys';
import { changePerson, type Known, kept } from './person';

/** For the form; undefined where browsers have no passkeys for us. */
export const passkeyOptions = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [known, browser]: readonly [Known, string],
): Promise<Either<Problem, object | undefined>> => {
  const place = placeOf(deps.browsers.origins, arrived);
  if (place === undefined) return right(undefined);
  const now = Date.parse(deps.clock.now());
  const challenge = await newChallenge(deps.kms, { browser, what: 'register', now });
  if (isLeft(challenge)) return challenge;
  const { profile } = known.person;
  const login = kept(profile?.login) ?? known.principalId;
  const names = { login, displayName: kept(profile?.displayName) ?? login };
  return right(registrationOptions(place, challenge.right, [known, known.person, names]));
};

export interface Registering {
  readonly known: Known;
  /** The visit or the session that the challenge was made for. */
  readonly browser: string;
  /** The form's field. */
  readonly answer: string | undefined;
  readonly name: string;
  /** The enrolment that allows it; null where the person is signed in. */
  readonly enrolment: string | null;
}

/** Undefined: the browser's answer does not fit. */
const registered = async (deps: PeopleDeps, arrived: Arrived, { browser, answer }: Registering) => {
  const place = placeOf(deps.browsers.origins, arrived);
  const said = decode(Registration, parsed(answer));
  if (place === undefined || isLeft(said)) return right(undefined);
  const challenge = challengeIn(said.right.response.clientDataJSON);
  const credential = await verifyRegistration(place, challenge, said.right);
  if (credential === undefined) return right(undefined);
  const purpose = { browser, what: 'register', now: Date.parse(deps.clock.now()) } as const;
  const spent = await spendChallenge({ kms: deps.kms, once: deps.people.once }, challenge, purpose);
  if (isLeft(spent)) return spent;
  return right(spent.right ? credential : undefined);
};

/** False: it does not fit. */
export const registerPasskey = async (
  deps: PeopleDeps,
  arrived: Arrived,
  asked: Registering,
): Promise<Either<Problem, boolean>> => {
  const credential = await registered(deps, arrived, asked);
  if (isLeft(credential)) return left(credential.left);
  if (credential.right === undefined) return right(false);
  const { id, publicKey, counter, transports = [] } = credential.right;
  const { known, enrolment } = asked;
  const { tenantId, principalId } = known;
  const acting = { requestId: arrived.requestId, actor: principalId };
  const claiming = { type: 'ClaimIdentifier', principalId, ...acting } as const;
  const claimed = await claimIdentifier(deps, { tenantId, kind: 'passkey', value: id }, claiming);
  if (isLeft(claimed)) return claimed;
  const key = Buffer.from(publicKey).toString('base64url');
  const name = asked.name.trim().slice(0, 60) || 'Passkey';
  const about = { principalId, at: deps.clock.now(), enrolment };
  const command = { type: 'AddPasskey', ...about, passkeyId: id, publicKey: key, counter, transports, name } as const;
  const added = await changePerson(deps, known, [command, acting]);
  return isLeft(added) ? added : right(true);
};
