/** In-memory keystore for tests. */
import { randomBytes } from 'node:crypto';
import { left, right } from 'fp-ts/Either';
import type { Kms, Signer } from '../../ports/kms';
import { nameShape, noSuchKey, unavailable } from './faults';
import { deriveSecret, type MasterKey } from './master-key';
import { newCurveKey, newSigningKey, type SigningKey, signWith } from './signing-key';

export const memoryKeys = (masterKey: MasterKey = randomBytes(32)): Kms => {
  const keys = new Map<string, SigningKey>();
  const findKey = (kid: string): readonly [string, SigningKey] | undefined =>
    [...keys].find(([, { jwk }]) => jwk.kid === kid);
  return {
    keystore: 'memory',
    create: async ({ algorithm, name }) => {
      if (!nameShape.test(name)) return left(unavailable('A key cannot have this name.'));
      const made = keys.get(name) ?? (await newSigningKey(algorithm));
      // Another caller may have created it meanwhile.
      const key = keys.get(name) ?? made;
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

/** Made once in a process, because it takes long. */
let idTokenKey: Promise<SigningKey> | undefined;
const sharedIdTokenKey = (): Promise<SigningKey> => {
  idTokenKey ??= newSigningKey('RS256');
  return idTokenKey;
};

/** With one signing key of each use. */
export const memoryKms = (masterKey: MasterKey = randomBytes(32)): Kms & Signer => {
  const accessTokenKey = newCurveKey('ES256');
  const keys = memoryKeys(masterKey);
  const own = async (): Promise<readonly SigningKey[]> => [accessTokenKey, await sharedIdTokenKey()];
  return {
    ...keys,
    activeKey: async (use) => right((use === 'access-token' ? accessTokenKey : await sharedIdTokenKey()).jwk),
    publicKeys: async () => right((await own()).map(({ jwk }) => jwk)),
    hintKeys: async () => right((await own()).map(({ jwk }) => jwk)),
    sign: async (kid, bytes) => {
      const key = (await own()).find(({ jwk }) => jwk.kid === kid);
      return key === undefined ? keys.sign(kid, bytes) : right(signWith(key, bytes));
    },
  };
};
