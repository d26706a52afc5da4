/** Limits attempts at user codes, which are short enough to guess (RFC 8628 section 5.1). */
import { createHash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { AttemptLimit, AttemptLimiter } from '../../../../infra/ports/identity/attempt-limiter';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { limitHeaders } from '../../../../infra/server/http/too-many-requests';
import { addressPrefix } from '../../../../packages/ratelimit/src/address-prefix';
import { failurePage } from '../../pages/page';
import type { CurrentSession } from '../../sessions/current-session';

const quarterHourMilliseconds = 15 * 60_000;
/** Approving a device takes two attempts: view and answer. */
const sessionLimit: AttemptLimit = { most: 20, milliseconds: quarterHourMilliseconds };
const addressLimit: AttemptLimit = { most: 100, milliseconds: quarterHourMilliseconds };

const attemptKey = (kind: string, name: string): string =>
  `device-${kind}:${createHash('sha256').update(name).digest('base64url')}`;

/** Undefined: allowed. Refuses while the counter store is unavailable. */
export const checkUserCodeAttempt = async (
  attempts: AttemptLimiter,
  { sessionId }: CurrentSession,
  address: string | null,
): Promise<PageAnswer | undefined> => {
  const taken = await attempts.take([
    { name: attemptKey('address', addressPrefix(address ?? '')), ...addressLimit },
    { name: attemptKey('session', sessionId), ...sessionLimit },
  ]);
  if (isLeft(taken))
    return failurePage(503, 'Not right now', 'Devices cannot be allowed at the moment. Try again soon.');
  if (taken.right.retryAfterSeconds === 0) return undefined;
  const page = failurePage(429, 'Too many codes', 'Wait a quarter of an hour, then ask the device for a new code.');
  return { ...page, headers: { ...page.headers, ...limitHeaders(taken.right) } };
};
