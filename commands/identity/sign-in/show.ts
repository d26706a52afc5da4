/** Puts the first page together, at the beginning and whenever something went wrong. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Problem } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { problemPageOf } from '../pages/problem-page';
import { anyVisit } from '../sessions/visit';
import type { Purpose } from './asked';
import { newChallenge } from './challenge';
import type { Arrived, PeopleDeps } from './deps';
import { assertionOptions, namedOrigin, placeOf } from './passkeys';
import { loadPolicy } from './person';
import { signInPage } from './sign-in-page';

const optionsFor = async (
  deps: PeopleDeps,
  arrived: Arrived,
  browser: string,
): Promise<Either<Problem, object | undefined>> => {
  const place = placeOf(deps.browsers.origins, arrived);
  if (place === undefined) return right(undefined);
  const now = Date.parse(deps.clock.now());
  const challenge = await newChallenge(deps.kms, { browser, what: 'sign-in', now });
  return isLeft(challenge) ? challenge : right(assertionOptions(place, challenge.right));
};

export interface Failed {
  readonly failure: string;
  readonly status: number;
}

export const showSignIn = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [purpose, failed]: readonly [Purpose, Failed?],
): Promise<PageAnswer> => {
  const policy = await loadPolicy(deps, purpose.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const visit = await anyVisit(deps, arrived.headers);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const passkey = await optionsFor(deps, arrived, visit.right.id);
  if (isLeft(passkey)) return problemPageOf(passkey.left);
  const named = namedOrigin(deps.browsers.origins);
  return signInPage({ purpose, visit: visit.right, policy: policy.right, passkey: passkey.right, named, ...failed });
};

/** One factor was right, and the other is the person's passkey: where passkeys do not work, the page says where they do. */
export const showPasskeyNeeded = (
  deps: PeopleDeps,
  arrived: Arrived,
  [purpose, status]: readonly [Purpose, number],
): Promise<PageAnswer> => {
  const isUsable = placeOf(deps.browsers.origins, arrived) !== undefined;
  const failure = isUsable
    ? 'Sign in with your passkey.'
    : 'Your passkey is needed, and it does not work at this address: see below.';
  return showSignIn(deps, arrived, [purpose, { failure, status }]);
};
