/**
 * How often somebody may guess: per login and per place that it comes from, or per device where the person has signed in before; what
 * succeeds is not counted. The windows slide, so that nobody is shut out for good, and other ways in (a passkey, a provider) are not
 * counted by login. Where it cannot be counted, nobody may try.
 */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left } from 'fp-ts/Either';
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import type { PageAnswer } from '../../../infra/http/routing/route';
import { limitHeaders } from '../../../infra/http/too-many-requests';
import type {
  AttemptKey,
  AttemptLimit,
  AttemptLimiter,
  AttemptResult,
} from '../../../infra/ports/identity/attempt-limiter';
import { addressPrefix } from '../../../packages/ratelimit/src/address-prefix';
import { failurePage } from '../pages/page';

const quarterHourMilliseconds = 15 * 60_000;
const limits = {
  login: { most: 10, milliseconds: quarterHourMilliseconds },
  code: { most: 6, milliseconds: quarterHourMilliseconds },
  return: { most: 6, milliseconds: quarterHourMilliseconds },
  device: { most: 10, milliseconds: quarterHourMilliseconds },
} as const satisfies { readonly [kind: string]: AttemptLimit };
/**
 * Of one address, by kind: wrong passwords close no other way in for those who share it. Returns from a provider cannot be guessed; their
 * bound keeps what they cost within reason.
 */
const addressLimits = {
  login: { most: 100, milliseconds: quarterHourMilliseconds },
  code: { most: 100, milliseconds: quarterHourMilliseconds },
  return: { most: 1_000, milliseconds: quarterHourMilliseconds },
} as const satisfies { readonly [kind in SignInAttempt['kind']]: AttemptLimit };

const hashedKey = (kind: string, name: string): string =>
  `${kind}:${createHash('sha256').update(name).digest('base64url')}`;

export interface SignInAttempt {
  /** A login, whose code it is, or which return from a provider. */
  readonly kind: 'login' | 'code' | 'return';
  readonly name: string;
  readonly address: string;
  /** Of a browser in which the person has signed in before: what strangers try does not count for it. */
  readonly device?: string | undefined;
}

/**
 * A known device has its own tries at the password, and none of its address: neither strangers nor its neighbours close it. The code
 * after the password is counted for the person all the same, as only who knows the password comes that far.
 */
const attemptKeysOf = ({ kind, name, address, device }: SignInAttempt): readonly AttemptKey[] => {
  const own = { name: hashedKey(kind, name), ...limits[kind] };
  if (device === undefined)
    return [{ name: hashedKey(`${kind}-address`, addressPrefix(address)), ...addressLimits[kind] }, own];
  return kind !== 'login' ? [own] : [{ name: hashedKey('device', `${name} ${device}`), ...limits.device }];
};

/** Takes a try at a password, or says how long the password is closed. All are counted, or none. */
export const countSignInAttempt = async (
  attempts: AttemptLimiter,
  guess: SignInAttempt,
): Promise<Either<PageAnswer, AttemptResult>> => {
  const taken = await attempts.take(attemptKeysOf(guess));
  return isLeft(taken)
    ? left(failurePage(503, 'Not right now', 'Signing in is not possible at the moment. Try again soon.'))
    : taken;
};

/** Left: the caller may not try now. */
export const requireSignInAttempt = async (
  attempts: AttemptLimiter,
  guess: SignInAttempt,
): Promise<Either<PageAnswer, AttemptResult>> => {
  const taken = await countSignInAttempt(attempts, guess);
  if (isLeft(taken) || taken.right.retryAfterSeconds === 0) return taken;
  const page = failurePage(
    429,
    'Too many attempts',
    'Wait a few minutes, then try again. A passkey works in the meantime.',
  );
  return left({ ...page, headers: { ...page.headers, ...limitHeaders(taken.right) } });
};

const formatMinutes = (seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
};

/** The same words for logins that exist and for those that do not: both are counted alike. */
export const passwordLimitMessage = (
  { retryAfterSeconds }: AttemptResult,
  { rules, providers }: SignInPolicy,
  device: string | undefined,
): string => {
  const closed = `Too many wrong passwords. The password is closed here for ${formatMinutes(retryAfterSeconds)}.`;
  const ways = [
    ...(device === undefined ? ['the password in a browser that you signed in with before'] : []),
    ...(rules.passkeys ? ['a passkey'] : []),
    ...(providers.size > 0 ? ['your organisation’s sign-in'] : []),
  ];
  return ways.length === 0 ? closed : `${closed} Meanwhile this still works: ${ways.join(', or ')}.`;
};
