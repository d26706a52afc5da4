/** All eight checks with keys, clock and revocations in the test's hand. */
import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import {
  createHeaderCache,
  createVerifiedTokenCache,
} from '../../../packages/resource-server/src/access-token/verify-token';
import { derivedNonces } from '../../../packages/resource-server/src/dpop/nonce';
import { memoryReplayCache } from '../../../packages/resource-server/src/dpop/replay-cache';
import { createJwksCache } from '../../../packages/resource-server/src/jose/jwks-cache';
import { noRevocations } from '../../../packages/resource-server/src/revocation/revocation-checker';
import type { AccessError } from '../../../packages/resource-server/src/verification/access-error';
import {
  type AccessCheckRules,
  checkAccess,
  type PresentedCredentials,
} from '../../../packages/resource-server/src/verification/check-access';
import { isLeft, right } from '../../../packages/resource-server/src/verification/either';
import { claimsAt, type SigningKey, signingKey, tokenWith } from '../../support/gateway/tokens';

export const now = 1_700_000_000_000;
export const issuerKey = signingKey('key-1');
export const url = 'https://septet.test/v1/things?limit=3';

export const tokenOf = (changes: object = {}, header: object = {}): string =>
  tokenWith(issuerKey, claimsAt(now, changes), header);

const keysOf = (keys: readonly Pick<SigningKey, 'jwk'>[]) =>
  createJwksCache({
    fetch: async () => right({ keys: keys.map(({ jwk }) => jwk) }),
    log: { warn: () => undefined },
    now: () => now,
  });

export const checks = (more: Partial<AccessCheckRules> = {}): AccessCheckRules => ({
  keys: keysOf([issuerKey]),
  verifiedTokens: createVerifiedTokenCache(),
  headers: createHeaderCache(),
  revocations: noRevocations,
  proofs: { replay: memoryReplayCache(() => now) },
  issuer: 'http://septet.test',
  audience: 'septet',
  now: () => now,
  ...more,
});

export const nonces = derivedNonces(createSecretKey(Buffer.from('secret')));

export const enter = (
  using: AccessCheckRules,
  credentials: Partial<PresentedCredentials>,
  required: readonly string[] = [],
) => checkAccess(using, { credentials: { authorization: undefined, method: 'GET', url, ...credentials }, required });

export const refusalOf = (entered: Awaited<ReturnType<typeof enter>>): AccessError => {
  assert.ok(isLeft(entered), 'It was let in.');
  return entered.left;
};

/** What a client learns: the code, and the error of the challenge. */
export const answerOf = (entered: Awaited<ReturnType<typeof enter>>): string => {
  if (!isLeft(entered)) return 'let in';
  const { code, headers } = entered.left;
  const [, scheme, error] = /^(\w+) error="(\w+)"/.exec(headers['WWW-Authenticate'] ?? '') ?? [];
  return error === undefined ? code : `${code}: ${scheme} ${error}`;
};
