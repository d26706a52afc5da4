/**
 * How often somebody may guess: per login and per place that it comes from; what succeeds is not counted. Both windows slide, so that nobody
 * is shut out for good, and other ways in (a passkey, a provider) are not counted by login. Where it cannot be counted, nobody may try.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { limitedHeaders } from '../../../infra/http/limited';
import type { PageAnswer } from '../../../infra/http/route';
import type { AttemptLimit, Attempts, Taken } from '../../../infra/ports/attempts';
import { failurePage } from '../pages/page';

const quarter = 15 * 60_000;
const limits = {
  login: { most: 10, milliseconds: quarter },
  address: { most: 100, milliseconds: quarter },
  code: { most: 6, milliseconds: quarter },
} as const satisfies { readonly [kind: string]: AttemptLimit };

/** Whoever has one address of version 6 has 2^64 of them. */
export const prefixOf = (address: string): string => {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const start = head.split(':').filter(Boolean);
  const end = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  return [...start, ...zeros, ...end]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};

const hashed = (kind: string, name: string): string =>
  `${kind}:${createHash('sha256').update(name).digest('base64url')}`;

export interface Guess {
  /** A login, or whose code it is. */
  readonly kind: 'login' | 'code';
  readonly name: string;
  readonly address: string;
}

/** Left: nobody may try. Both are counted, or none. */
export const takeGuess = async (
  attempts: Attempts,
  { kind, name, address }: Guess,
): Promise<Either<PageAnswer, Taken>> => {
  const taken = await attempts.take([
    { name: hashed('address', prefixOf(address)), ...limits.address },
    { name: hashed(kind, name), ...limits[kind] },
  ]);
  if (isLeft(taken))
    return left(failurePage(503, 'Not right now', 'Signing in is not possible at the moment. Try again soon.'));
  if (taken.right.retryAfterSeconds === 0) return taken;
  const page = failurePage(
    429,
    'Too many attempts',
    'Wait a few minutes, then try again. A passkey works in the meantime.',
  );
  return left({ ...page, headers: { ...page.headers, ...limitedHeaders(taken.right) } });
};
