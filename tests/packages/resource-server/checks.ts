/** All eight checks with keys, clock and revocations in the test's hand. */
import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { authorize, type Checks, type Credentials } from '../../../packages/resource-server/src/verification/authorize';
import { derivedNonces } from '../../../packages/resource-server/src/verification/dpop-nonce';
import { isLeft, right } from '../../../packages/resource-server/src/verification/either';
import { keptTokens } from '../../../packages/resource-server/src/verification/kept-tokens';
import { keyring } from '../../../packages/resource-server/src/verification/keyring';
import type { Refusal } from '../../../packages/resource-server/src/verification/refusal';
import { memoryReplay } from '../../../packages/resource-server/src/verification/replay';
import { noRevocations } from '../../../packages/resource-server/src/verification/revocations';
import { knownHeaders } from '../../../packages/resource-server/src/verification/token-header';
import { claimsAt, type SigningKey, signingKey, tokenWith } from '../../support/tokens';

export const now = 1_700_000_000_000;
export const issuerKey = signingKey('key-1');
export const url = 'https://septet.test/v1/things?limit=3';

export const tokenOf = (changes: object = {}, header: object = {}): string =>
  tokenWith(issuerKey, claimsAt(now, changes), header);

const keysOf = (keys: readonly Pick<SigningKey, 'jwk'>[]) =>
  keyring({
    fetch: async () => right({ keys: keys.map(({ jwk }) => jwk) }),
    log: { warn: () => undefined },
    now: () => now,
  });

export const checks = (more: Partial<Checks> = {}): Checks => ({
  keys: keysOf([issuerKey]),
  kept: keptTokens(),
  headers: knownHeaders(),
  revocations: noRevocations,
  proofs: { replay: memoryReplay(() => now) },
  issuer: 'http://septet.test',
  audience: 'septet',
  now: () => now,
  ...more,
});

export const nonces = derivedNonces(createSecretKey(Buffer.from('secret')));

export const enter = (using: Checks, credentials: Partial<Credentials>, required: readonly string[] = []) =>
  authorize(using, { credentials: { authorization: undefined, method: 'GET', url, ...credentials }, required });

export const refusalOf = (entered: Awaited<ReturnType<typeof enter>>): Refusal => {
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
