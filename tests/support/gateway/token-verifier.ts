/** The gateway's token checks with a clock and keys in the test's hand. */
import assert from 'node:assert/strict';
import { isLeft, left, right } from 'fp-ts/Either';
import { type Authentication, authenticateStoredToken } from '../../../infra/gateway/authentication/authenticate';
import {
  createHeaderCache,
  createVerifiedTokenCache,
} from '../../../packages/resource-server/src/access-token/verify-token';
import { createJwksCache } from '../../../packages/resource-server/src/jose/jwks-cache';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';
import { capturedLog } from '../http/http-service';
import { claimsAt, signingKey, tokenWith } from './tokens';

export const start = 1_750_000_000_000;
export const key = signingKey('key-1');
export const createTokenVerifier = (changes: Partial<Authentication> = {}) => {
  const clock = { now: start, keys: [key], away: false, fetches: 0 };
  const revocations = createSecurityState(() => clock.now);
  revocations.apply({ kind: 'heartbeat', sequence: null });
  const fetch = async () => {
    clock.fetches += 1;
    return clock.away ? left('away') : right({ keys: clock.keys.map(({ jwk }) => jwk) });
  };
  const keys = createJwksCache({ fetch, log: capturedLog(), now: () => clock.now });
  const using: Authentication = {
    keys,
    verifiedTokens: createVerifiedTokenCache(),
    headers: createHeaderCache(),
    revocations,
    origin: 'http://septet.test',
    issuer: 'http://septet.test',
    audience: 'septet',
    now: () => clock.now,
    ...changes,
  };
  return {
    clock,
    revocations,
    keys,
    using,
    enter: (token: string, required: readonly string[] = []) =>
      authenticateStoredToken(using, `Bearer ${token}`, { required }),
  };
};

export const codeOf = (entered: Awaited<ReturnType<typeof authenticateStoredToken>>): string => {
  assert.ok(isLeft(entered), 'The token was accepted.');
  const { problem, headers = {} } = entered.left;
  if (problem.status === 401) assert.match(headers['WWW-Authenticate'] ?? '', /^Bearer/);
  return problem.code;
};

/** One that is accepted. */
export const validToken = tokenWith(key, claimsAt(start));
