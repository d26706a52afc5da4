/** An ES256 key pair and what is done with one. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PublicJwk } from '../ports/kms';

export interface SigningKey {
  readonly jwk: PublicJwk;
  /** Parsed once: parsing costs more than signing. */
  readonly privateKey: KeyObject;
}

/** RFC 7638: a key's own hash is its id, so that no two keys can share one. */
const thumbprint = (x: string, y: string): string =>
  createHash('sha256').update(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`).digest('base64url');

/** Undefined when it is no P-256 key. */
const signingKey = (privateKey: KeyObject): SigningKey | undefined => {
  const { crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (crv !== 'P-256' || x === undefined || y === undefined) return undefined;
  const jwk: PublicJwk = { kty: 'EC', crv, x, y, kid: thumbprint(x, y), alg: 'ES256', use: 'sig' };
  return { jwk, privateKey };
};

export const newSigningKey = (): SigningKey =>
  signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey) as SigningKey;

export const exportPrivate = ({ privateKey }: SigningKey): Buffer =>
  privateKey.export({ format: 'der', type: 'pkcs8' });

export const importPrivate = (bytes: Buffer): SigningKey | undefined =>
  signingKey(createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }));

/** JWS wants r and s side by side, not DER. */
export const signWith = ({ privateKey }: SigningKey, bytes: Uint8Array): Uint8Array =>
  sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
