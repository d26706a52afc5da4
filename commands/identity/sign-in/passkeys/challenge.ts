/** WebAuthn challenges: bound to one browser and purpose, short-lived, single use. Nothing is stored until one is consumed. */
import { timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ReplayCache } from '../../../../infra/ports/identity/replay-cache';
import type { Kms } from '../../../../infra/ports/kms';
import { type Problem, problemOf } from '../../../../infra/server/http/problem';

export interface ChallengeContext {
  /** Pre-session or session. */
  readonly browser: string;
  readonly what: 'sign-in' | 'register';
  /** Milliseconds since 1970. */
  readonly now: number;
}

const lifeMilliseconds = 5 * 60_000;

const macFor = (
  kms: Kms,
  { browser, what }: ChallengeContext,
  madeAt: number,
): Promise<Either<{ detail: string }, string>> =>
  kms.derive(JSON.stringify(['passkey-challenge', browser, what, madeAt]));

/** base64url of a time and its MAC. */
export const newChallenge = async (kms: Kms, context: ChallengeContext): Promise<Either<Problem, string>> => {
  const derived = await kms.derive(JSON.stringify(['passkey-challenge', context.browser, context.what, context.now]));
  if (isLeft(derived)) return left(problemOf(derived.left, {}));
  return right(Buffer.from(`${context.now}.${derived.right}`).toString('base64url'));
};

/** False: unknown, expired or used. */
export const consumeChallenge = async (
  { kms, once }: { readonly kms: Kms; readonly once: ReplayCache },
  challenge: string,
  context: ChallengeContext,
): Promise<Either<Problem, boolean>> => {
  const [made = '', mac = ''] = Buffer.from(challenge, 'base64url').toString('utf8').split('.');
  const madeAt = Number(made);
  if (!/^\d{1,15}$/.test(made) || madeAt > context.now || context.now - madeAt > lifeMilliseconds) return right(false);
  const expected = await macFor(kms, context, madeAt);
  if (isLeft(expected)) return left(problemOf({ kind: 'fault', code: 'signing-unavailable', ...expected.left }, {}));
  const [presented, ours] = [Buffer.from(mac), Buffer.from(expected.right)];
  if (presented.length !== ours.length || !timingSafeEqual(presented, ours)) return right(false);
  const first = await once.first(`challenge:${challenge}`, lifeMilliseconds);
  return isLeft(first) ? left(problemOf(first.left, {})) : first;
};
