/**
 * Limits on password and code guesses: per login and per source network, or per device where the person has signed in before. Successes
 * do not count. The windows slide, so no login is locked for good; passkeys and providers are not counted by login. While the counter is
 * unavailable, attempts are refused.
 */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left } from 'fp-ts/Either';
import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import type {
  AttemptKey,
  AttemptLimit,
  AttemptLimiter,
  AttemptResult,
} from '../../../infra/ports/identity/attempt-limiter';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { limitHeaders } from '../../../infra/server/http/too-many-requests';
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
 * Limits per network, by kind, so that wrong passwords block no other method for the people who share it. Returns from a provider cannot be
 * guessed; their limit only bounds the cost.
 */
const addressLimits = {
  login: { most: 100, milliseconds: quarterHourMilliseconds },
  code: { most: 100, milliseconds: quarterHourMilliseconds },
  return: { most: 1_000, milliseconds: quarterHourMilliseconds },
} as const satisfies { readonly [kind in SignInAttempt['kind']]: AttemptLimit };

const hashedKey = (kind: string, name: string): string =>
  `${kind}:${createHash('sha256').update(name).digest('base64url')}`;

export interface SignInAttempt {
  /** The login, the owner of the code, or the return from a provider. */
  readonly kind: 'login' | 'code' | 'return';
  readonly name: string;
  readonly address: string;
  /** A browser in which the person has signed in before; attempts of strangers do not count against it. */
  readonly device?: string | undefined;
}

/**
 * A known device has its own password limit instead of its network's, so neither strangers nor neighbours can lock it. Second-factor codes
 * always count for the person: only a caller with the password reaches them.
 */
const attemptKeysOf = ({ kind, name, address, device }: SignInAttempt): readonly AttemptKey[] => {
  const own = { name: hashedKey(kind, name), ...limits[kind] };
  if (device === undefined)
    return [{ name: hashedKey(`${kind}-address`, addressPrefix(address)), ...addressLimits[kind] }, own];
  return kind !== 'login' ? [own] : [{ name: hashedKey('device', `${name} ${device}`), ...limits.device }];
};

/** Takes one attempt from every limit, or from none; the result has the time to wait. */
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

/** The same message for unknown logins, which are counted alike. */
export const passwordLimitMessage = (
  { retryAfterSeconds }: AttemptResult,
  { rules, providers }: SignInPolicy,
  device: string | undefined,
): string => {
  const closed = `Too many wrong passwords. You can try again here in ${formatMinutes(retryAfterSeconds)}.`;
  const ways = [
    ...(device === undefined ? ['the password in a browser that you signed in with before'] : []),
    ...(rules.passkeys ? ['a passkey'] : []),
    ...(providers.size > 0 ? ['your organization’s sign-in'] : []),
  ];
  return ways.length === 0 ? closed : `${closed} Until then, use ${ways.join(', or ')}.`;
};
