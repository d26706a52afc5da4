/** Header, claims and target of DPoP proofs (RFC 9449 sections 4.2 and 4.3). */
import { decodeBase64url, isJsonObject, type JsonObject, parseJsonObject } from '../jose/encoding';
import { type PublicKey, parsePublicJwk } from '../jose/public-jwk';

export interface ProofClaims {
  readonly jti: string;
  readonly htm: string;
  readonly htu: string;
  readonly iat: number;
  readonly nonce?: string;
  readonly ath?: string;
  /** Optional, but enforced when present. */
  readonly exp?: number;
  readonly nbf?: number;
}

const isText = (value: unknown, longest: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= longest;
const isSecond = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const absentOr = (value: unknown, holds: boolean): boolean => value === undefined || holds;

const isProofClaims = ({ jti, htm, htu, iat, nonce, ath, exp, nbf }: JsonObject): boolean =>
  isText(jti, 256) &&
  isText(htm, 32) &&
  isText(htu, 4_096) &&
  isSecond(iat) &&
  absentOr(nonce, isText(nonce, 256)) &&
  absentOr(ath, isText(ath, 64)) &&
  absentOr(exp, isSecond(exp)) &&
  absentOr(nbf, isSecond(nbf));

export const parseProofClaims = (payload: string): ProofClaims | undefined => {
  const bytes = decodeBase64url(payload);
  const members = bytes === undefined ? undefined : parseJsonObject(bytes);
  return members !== undefined && isProofClaims(members) ? (members as unknown as ProofClaims) : undefined;
};

export interface ProofKeyCache {
  readonly find: (header: string) => PublicKey | undefined;
  /** Cached after a valid signature only, so that entries cost their client something. */
  readonly keep: (header: string, key: PublicKey) => void;
}

const headerFields = new Set(['typ', 'alg', 'jwk']);
const algorithms: { readonly [name: string]: string | undefined } = {
  ES256: 'ES256',
  EdDSA: 'EdDSA',
  Ed25519: 'EdDSA',
};

export const parseProofHeader = (header: string): PublicKey | undefined => {
  const bytes = decodeBase64url(header);
  const members = bytes === undefined ? undefined : parseJsonObject(bytes);
  if (members === undefined || Object.keys(members).some((name) => !headerFields.has(name))) return undefined;
  const { typ, alg, jwk } = members;
  if (typ !== 'dpop+jwt' || typeof alg !== 'string' || !isJsonObject(jwk)) return undefined;
  const key = parsePublicJwk(jwk);
  return key !== undefined && Object.hasOwn(algorithms, alg) && algorithms[alg] === key.algorithm ? key : undefined;
};

/** A client repeats its header; importing the key costs as much as a verification. */
export const createProofKeyCache = (most = 10_000): ProofKeyCache => {
  const cache = new Map<string, PublicKey>();
  return {
    find: (header) => cache.get(header),
    keep: (header, key) => {
      if (cache.has(header) || header.length > 1_024) return;
      const oldest = cache.size >= most ? cache.keys().next().value : undefined;
      if (oldest !== undefined) cache.delete(oldest);
      cache.set(header, key);
    },
  };
};

const addressShape = /^https?:\/\/[^\s\\@?#]+/i;
const printable = /^[\x21-\x7e]{1,8192}$/;
const unreserved = /[A-Za-z0-9._~-]/;

/** RFC 3986 section 6.2.2: `%7e`, `%7E` and `~` are equal. */
const normalizePath = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const letter = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return unreserved.test(letter) ? letter : escaped.toUpperCase();
  });

/** Undefined: not an http URL, or with user info. */
const normalizeTarget = (address: string): string | undefined => {
  if (!printable.test(address) || !addressShape.test(address) || address.includes('\\')) return undefined;
  try {
    const { origin, pathname, username, password } = new URL(address);
    return username === '' && password === '' ? `${origin}${normalizePath(pathname)}` : undefined;
  } catch {
    return undefined;
  }
};

/** Compares exactly first and normalises only on a difference. */
export const matchesHtu = (written: string, requested: string): boolean => {
  const query = requested.indexOf('?');
  if (written === (query < 0 ? requested : requested.slice(0, query))) return true;
  const target = normalizeTarget(requested);
  return target !== undefined && normalizeTarget(written) === target;
};
