/** Check one of an access token: form and signature, with caches for headers and verified tokens. */

import { type CompactJws, parseCompactJws, verifySignature } from '../jose/compact-jws';
import { decodeBase64url, parseJsonObject } from '../jose/encoding';
import type { JwksCache } from '../jose/jwks-cache';
import type { Algorithm, PublicKey } from '../jose/public-jwk';
import { type AccessError, invalidToken, unavailable } from '../verification/access-error';
import { type Either, isLeft, left, right } from '../verification/either';
import { type AccessTokenClaims, parseClaims } from './claims';

export interface VerifiedToken {
  readonly kid: string;
  readonly claims: AccessTokenClaims;
}

export interface VerifiedTokenCache {
  readonly find: (hash: string) => VerifiedToken | undefined;
  readonly keep: (hash: string, verified: VerifiedToken) => void;
}

/** Keyed by hash: a memory dump contains no tokens. */
export const createVerifiedTokenCache = (most = 20_000): VerifiedTokenCache => {
  const cache = new Map<string, VerifiedToken>();
  return {
    find: (hash) => cache.get(hash),
    keep: (hash, verified) => {
      const oldest = cache.size >= most ? cache.keys().next().value : undefined;
      if (oldest !== undefined) cache.delete(oldest);
      cache.set(hash, verified);
    },
  };
};

export interface TokenHeader {
  readonly algorithm: Algorithm;
  readonly kid: string;
}

export interface HeaderCache {
  readonly find: (header: string) => TokenHeader | undefined;
  /** Cached after a valid signature only, so the size is bounded by the number of keys. */
  readonly keep: (header: string, read: TokenHeader) => void;
}

/** Rejects other members (`jwk`, `jku`, `x5c`, `crit`, …): they need unsupported trust or rules. */
const headerFields = new Set(['alg', 'typ', 'kid']);
const tokenTypes = new Set(['at+jwt', 'application/at+jwt']);

const parseTokenHeader = (header: string): TokenHeader | undefined => {
  const bytes = header.length > 1_024 ? undefined : decodeBase64url(header);
  const members = bytes === undefined ? undefined : parseJsonObject(bytes);
  if (members === undefined || Object.keys(members).some((name) => !headerFields.has(name))) return undefined;
  const { alg, typ, kid } = members;
  if (alg !== 'ES256' && alg !== 'EdDSA') return undefined;
  if (typeof typ !== 'string' || !tokenTypes.has(typ.toLowerCase())) return undefined;
  return typeof kid === 'string' && kid.length > 0 && kid.length <= 256 ? { algorithm: alg, kid } : undefined;
};

/** Tokens of one key share their header. */
export const createHeaderCache = (most = 128): HeaderCache => {
  const cache = new Map<string, TokenHeader>();
  return {
    find: (header) => cache.get(header),
    keep: (header, read) => {
      if (cache.has(header)) return;
      if (cache.size >= most) cache.clear();
      cache.set(header, read);
    },
  };
};

export interface TokenVerificationOptions {
  readonly keys: JwksCache;
  readonly verifiedTokens: VerifiedTokenCache;
  readonly headers: HeaderCache;
}

export interface EncodedToken {
  readonly token: string;
  /** SHA-256, like `ath` of a proof. */
  readonly hash: string;
}

const maxTokenLength = 8_192;

interface ParsedToken {
  readonly signed: CompactJws;
  readonly header: TokenHeader;
}

const parseToken = (token: string, headers: HeaderCache): Either<AccessError, ParsedToken> => {
  if (token.length > maxTokenLength) return left(invalidToken('The token is too long.'));
  const signed = parseCompactJws(token);
  const header = signed === undefined ? undefined : (headers.find(signed.header) ?? parseTokenHeader(signed.header));
  if (signed === undefined || header === undefined)
    return left(invalidToken('The token is malformed or of another kind.'));
  return right({ signed, header });
};

const findKey = async ({ algorithm, kid }: TokenHeader, keys: JwksCache): Promise<Either<AccessError, PublicKey>> => {
  const key = keys.known(kid) ?? (await keys.find(kid));
  if (key !== undefined)
    return key.algorithm === algorithm ? right(key) : left(invalidToken('The signature does not fit.'));
  return left(
    keys.loaded()
      ? invalidToken('The token is signed with a key that is not known.')
      : unavailable('service-unavailable', 'The signing keys could not be fetched yet.'),
  );
};

const verifyParsedToken = ({ signed, header }: ParsedToken, key: PublicKey): Either<AccessError, VerifiedToken> => {
  const bytes = decodeBase64url(signed.payload);
  if (bytes === undefined || !verifySignature(signed, key)) return left(invalidToken('The signature does not fit.'));
  const claims = parseClaims(parseJsonObject(bytes));
  return claims === undefined ? left(invalidToken('The token lacks claims.')) : right({ kid: header.kid, claims });
};

export const verifyToken = async (
  { keys, verifiedTokens: cache, headers }: TokenVerificationOptions,
  { token, hash }: EncodedToken,
): Promise<Either<AccessError, VerifiedToken>> => {
  const before = cache.find(hash);
  // A removed key voids cached tokens, too.
  if (before !== undefined && keys.known(before.kid) !== undefined) return right(before);
  const read = parseToken(token, headers);
  if (isLeft(read)) return read;
  const key = await findKey(read.right.header, keys);
  if (isLeft(key)) return key;
  const verified = verifyParsedToken(read.right, key.right);
  if (isLeft(verified)) return verified;
  headers.keep(read.right.signed.header, read.right.header);
  cache.keep(hash, verified.right);
  return verified;
};
