/** The gateway's token checks with a clock and keys in the test's hand. */
import assert from 'node:assert/strict';
import { isLeft, left, right } from 'fp-ts/Either';
import { epochCache } from '../../infra/epochs/epochs';
import { type Authentication, authenticate } from '../../infra/gateway/authenticate';
import { keyring } from '../../infra/gateway/keyring';
import { verifiedTokens } from '../../infra/gateway/verified';
import { keptLog } from './http-service';
import { claimsAt, signingKey, tokenWith } from './tokens';

export const start = 1_750_000_000_000;
export const key = signingKey('key-1');
export const gate = (changes: Partial<Authentication> = {}) => {
  const clock = { now: start, keys: [key], away: false, asked: 0 };
  const epochs = epochCache(() => clock.now);
  epochs.apply({ kind: 'heartbeat' });
  const fetch = async () => {
    clock.asked += 1;
    return clock.away ? left('away') : right({ keys: clock.keys.map(({ jwk }) => jwk) });
  };
  const keys = keyring({ fetch, log: keptLog(), now: () => clock.now });
  const using: Authentication = {
    keys,
    epochs,
    verified: verifiedTokens(),
    denied: () => false,
    issuer: 'http://septet.test',
    audience: 'septet',
    now: () => clock.now,
    ...changes,
  };
  return {
    clock,
    epochs,
    keys,
    using,
    enter: (token: string, required: readonly string[] = []) => authenticate(using, `Bearer ${token}`, required),
  };
};

export const codeOf = (entered: Awaited<ReturnType<typeof authenticate>>): string => {
  assert.ok(isLeft(entered), 'The token was accepted.');
  const { problem, headers = {} } = entered.left;
  if (problem.status === 401) assert.match(headers['WWW-Authenticate'] ?? '', /^Bearer/);
  return problem.code;
};

/** One that is accepted. */
export const good = tokenWith(key, claimsAt(start));
