/** A key pair of either algorithm and what is done with one. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PublicJwk, SigningAlgorithm } from '../ports/kms';
import { publicJwkOf } from './public-jwk';

export interface SigningKey {
  readonly jwk: PublicJwk;
  /** Parsed once: parsing costs more than signing. */
  readonly privateKey: KeyObject;
}

const signingKey = (privateKey: KeyObject): SigningKey | undefined => {
  const jwk = publicJwkOf(createPublicKey(privateKey));
  return jwk === undefined ? undefined : { jwk, privateKey };
};

const generated: { readonly [algorithm in SigningAlgorithm]: () => KeyObject } = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: () => generateKeyPairSync('ed25519').privateKey,
};

export const newSigningKey = (algorithm: SigningAlgorithm): SigningKey =>
  signingKey(generated[algorithm]()) as SigningKey;

export const exportPrivate = ({ privateKey }: SigningKey): Buffer =>
  privateKey.export({ format: 'der', type: 'pkcs8' });

/** Undefined when it is a key of another kind. */
export const importPrivate = (bytes: Buffer): SigningKey | undefined =>
  signingKey(createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }));

/** JWS wants r and s side by side, not DER; Ed25519 hashes by itself. */
export const signWith = ({ jwk, privateKey }: SigningKey, bytes: Uint8Array): Uint8Array =>
  jwk.alg === 'EdDSA'
    ? sign(null, bytes, privateKey)
    : sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
