/** In-memory keystore for tests. */
import { randomBytes } from 'node:crypto';
import { left, right } from 'fp-ts/Either';
import type { Kms, PublicJwk, Signer } from '../ports/kms';
import { nameShape, noSuchKey, unavailable } from './faults';
import { deriveSecret, type MasterKey } from './master-key';
import { newSigningKey, type SigningKey, signWith } from './signing-key';

export const memoryKeys = (masterKey: MasterKey = randomBytes(32)): Kms => {
  const keys = new Map<string, SigningKey>();
  const findKey = (kid: string): readonly [string, SigningKey] | undefined =>
    [...keys].find(([, { jwk }]) => jwk.kid === kid);
  return {
    keystore: 'memory',
    create: async ({ algorithm, name }) => {
      if (!nameShape.test(name)) return left(unavailable('A key cannot have this name.'));
      const key = keys.get(name) ?? newSigningKey(algorithm);
      keys.set(name, key);
      return right(key.jwk);
    },
    list: async () => right([...keys.keys()].sort().flatMap((name) => keys.get(name)?.jwk ?? [])),
    sign: async (kid, bytes) => {
      const [, key] = findKey(kid) ?? [];
      return key === undefined ? noSuchKey() : right(signWith(key, bytes));
    },
    derive: async (label) => right(deriveSecret(masterKey, label)),
    destroy: async (kid) => {
      const [name] = findKey(kid) ?? [];
      if (name !== undefined) keys.delete(name);
      return right(undefined);
    },
  };
};

/** With one signing key. */
export const memoryKms = (masterKey: MasterKey = randomBytes(32)): Kms & Signer => {
  const { jwk, privateKey } = newSigningKey('ES256');
  const ownKeys: readonly PublicJwk[] = [jwk];
  const keys = memoryKeys(masterKey);
  return {
    ...keys,
    activeKey: async () => right(jwk),
    publicKeys: async () => right(ownKeys),
    hintKeys: async () => right(ownKeys),
    sign: (kid, bytes) =>
      kid === jwk.kid ? Promise.resolve(right(signWith({ jwk, privateKey }, bytes))) : keys.sign(kid, bytes),
  };
};
