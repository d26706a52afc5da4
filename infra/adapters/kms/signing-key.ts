/** Signing key pairs, public JWKs and thumbprints (RFC 7638). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { EcPublicJwk, OkpPublicJwk, PublicJwk, RsaPublicJwk, SigningAlgorithm } from '../../ports/kms';

/** Members of a thumbprint in order (RFC 7638 section 3.2, RFC 8037 section 2). */
const thumbprintMembers = { EC: ['crv', 'kty', 'x', 'y'], OKP: ['crv', 'kty', 'x'], RSA: ['e', 'kty', 'n'] } as const;

export interface KeyMembers {
  readonly kty: keyof typeof thumbprintMembers;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly e?: string;
  readonly n?: string;
}

export const thumbprintOf = (key: KeyMembers): string => {
  const canonical = Object.fromEntries(thumbprintMembers[key.kty].map((name) => [name, key[name]]));
  return createHash('sha256').update(JSON.stringify(canonical)).digest('base64url');
};

export const ecJwk = (x: string, y: string): EcPublicJwk => {
  const key = { kty: 'EC', crv: 'P-256', x, y } as const;
  return { ...key, kid: thumbprintOf(key), alg: 'ES256', use: 'sig' };
};

export const okpJwk = (x: string): OkpPublicJwk => {
  const key = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...key, kid: thumbprintOf(key), alg: 'EdDSA', use: 'sig' };
};

export const rsaJwk = (n: string, e: string): RsaPublicJwk => {
  const key = { kty: 'RSA', n, e } as const;
  return { ...key, kid: thumbprintOf(key), alg: 'RS256', use: 'sig' };
};

/** Undefined: unsupported key type. */
export const publicJwkOf = (publicKey: KeyObject): PublicJwk | undefined => {
  const { crv, x, y, n, e } = publicKey.export({ format: 'jwk' });
  if (n !== undefined && e !== undefined) return rsaJwk(n, e);
  if (crv === 'Ed25519' && x !== undefined) return okpJwk(x);
  return crv === 'P-256' && x !== undefined && y !== undefined ? ecJwk(x, y) : undefined;
};

export interface SigningKey {
  readonly jwk: PublicJwk;
  /** Parsed once, because parsing costs more than signing. */
  readonly privateKey: KeyObject;
}

const signingKey = (privateKey: KeyObject): SigningKey | undefined => {
  const jwk = publicJwkOf(createPublicKey(privateKey));
  return jwk === undefined ? undefined : { jwk, privateKey };
};

/** Every client verifies them quickly; keys are in use for weeks only. */
export const modulusBits = 2_048;

const generated: { readonly [algorithm in 'ES256' | 'EdDSA']: () => KeyObject } = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: () => generateKeyPairSync('ed25519').privateKey,
};

const generateRsaPair = promisify(generateKeyPair);

/** Keys of elliptic curves are made in no time. */
export const newCurveKey = (algorithm: keyof typeof generated): SigningKey =>
  signingKey(generated[algorithm]()) as SigningKey;

/** RSA keys are made off the main thread, because that takes up to a second. */
export const newSigningKey = async (algorithm: SigningAlgorithm): Promise<SigningKey> => {
  if (algorithm !== 'RS256') return newCurveKey(algorithm);
  const { privateKey } = await generateRsaPair('rsa', { modulusLength: modulusBits });
  return signingKey(privateKey) as SigningKey;
};

export const exportPrivate = ({ privateKey }: SigningKey): Buffer =>
  privateKey.export({ format: 'der', type: 'pkcs8' });

/** Undefined: unsupported key type. */
export const importPrivate = (bytes: Buffer): SigningKey | undefined =>
  signingKey(createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }));

/** JWS uses the concatenation of r and s, not DER, and PKCS #1 padding for RS256; Ed25519 hashes by itself. */
export const signWith = ({ jwk, privateKey }: SigningKey, bytes: Uint8Array): Uint8Array =>
  jwk.alg === 'EdDSA'
    ? sign(null, bytes, privateKey)
    : sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
