/** Verifies JWTs of workloads: ID tokens of CI systems and clusters, and JWT-SVIDs. */
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { decodeProtectedHeader, errors, importJWK, type JWK, jwtVerify, type ProtectedHeaderParameters } from 'jose';
import type { WorkloadIssuerId } from '../../../../domain/identity/ids';
import { type Claims, parseSpiffeId } from '../../../../domain/identity/workload-trust/attributes';
import type { WorkloadTrust } from '../../../../domain/identity/workload-trust/decider';
import type { WorkloadIssuer } from '../../../../domain/identity/workload-trust/events';
import type { TrustedKey } from '../../../../domain/identity/workload-trust/trusted-key';
import type { Instant } from '../../../../domain/kernel/codec';
import { parseJson } from '../../../../infra/server/http/untrusted-json';
import type { IssuerKeyCache } from './issuer-keys';

export interface ParsedToken {
  readonly header: ProtectedHeaderParameters;
  /** Not verified. */
  readonly claims: Claims;
}

const maxKeyIdLength = 256;
const maxIdLength = 256;
const skewSeconds = 10;
/** Of a credential, from now: a longer life would make it worth stealing. */
const maxLifeSeconds = 24 * 3_600;

/** Asymmetric ones alone: with others, a public key would serve as a shared secret. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Tokens of other types are for other uses. SPIFFE allows both of these. */
const tokenTypes = new Set([undefined, 'jwt', 'jose']);

/** Undefined: not a JWT. */
export const parseToken = (token: string): ParsedToken | undefined => {
  const [, payload = '', ...rest] = token.split('.');
  if (rest.length !== 1) return undefined;
  const claims = parseJson(Buffer.from(payload, 'base64url'));
  if (isLeft(claims) || typeof claims.right !== 'object' || claims.right === null || Array.isArray(claims.right))
    return undefined;
  try {
    return { header: decodeProtectedHeader(token), claims: claims.right as Claims };
  } catch {
    return undefined;
  }
};

export interface TrustedIssuer {
  readonly issuerId: WorkloadIssuerId;
  readonly issuer: WorkloadIssuer;
}

/** `iss` is optional in JWT-SVIDs, whose issuer is the trust domain of their subject. */
const isIssuerOf = ({ kind, issuer }: WorkloadIssuer, { iss, sub }: Claims): boolean =>
  kind === 'spiffe' ? parseSpiffeId(sub)?.trustDomain === issuer : iss === issuer;

export const findIssuer = ({ issuers }: WorkloadTrust, claims: Claims): TrustedIssuer | undefined => {
  for (const [issuerId, issuer] of issuers) if (isIssuerOf(issuer, claims)) return { issuerId, issuer };
  return undefined;
};

const keyUses: readonly (string | undefined)[] = [undefined, 'sig', 'jwt-svid'];

/** By its id alone. Two keys of one id are none. */
const keyFor = (keys: readonly TrustedKey[], kid: string): JWK | undefined => {
  const [key, ...others] = keys.filter((one) => one.kid === kid && keyUses.includes(one.use));
  if (key === undefined || others.length > 0) return undefined;
  const { use: _use, x5c: _x5c, 'x5t#S256': _thumbprint, ...plain } = key;
  return plain as JWK;
};

/** A sentence for administrators; never of the caller's text. */
type TokenFault = string;

const faultOf = (error: unknown): TokenFault => {
  if (error instanceof errors.JWTExpired) return 'The credential has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The claim ${error.claim} of the credential is missing or does not hold.`;
  return 'The signature of the credential is not of a key of its issuer.';
};

const verifyBy = async (
  token: string,
  key: JWK,
  { header: { alg = '' }, at }: { readonly header: ProtectedHeaderParameters; readonly at: Instant },
): Promise<Either<TokenFault, void>> => {
  try {
    await jwtVerify(token, await importJWK(key, alg), {
      algorithms,
      clockTolerance: skewSeconds,
      currentDate: new Date(at),
      requiredClaims: ['exp', 'sub'],
    });
    return right(undefined);
  } catch (error) {
    return left(faultOf(error));
  }
};

const checkLife = ({ exp, iat, jti }: Claims, at: Instant): TokenFault | undefined => {
  const now = Date.parse(at) / 1_000;
  if (typeof exp !== 'number' || exp > now + maxLifeSeconds + skewSeconds)
    return 'The credential lasts longer than a day.';
  if (iat !== undefined && (typeof iat !== 'number' || iat > now + skewSeconds))
    return 'The credential was issued in the future.';
  return jti === undefined || (typeof jti === 'string' && jti !== '' && jti.length <= maxIdLength)
    ? undefined
    : 'The jti of the credential is malformed.';
};

export interface PresentedToken extends ParsedToken {
  readonly token: string;
  readonly at: Instant;
}

/** Right: the claims are the issuer's, and hold now. */
export const verifyToken = async (
  keyCache: IssuerKeyCache,
  issuer: WorkloadIssuer,
  { token, header, claims, at }: PresentedToken,
): Promise<Either<TokenFault, void>> => {
  const { kid, alg, typ, crit } = header;
  if (alg === undefined || !algorithms.includes(alg)) return left('The algorithm of the credential is not allowed.');
  if (typeof kid !== 'string' || kid.length > maxKeyIdLength) return left('The credential names no key.');
  if (crit !== undefined) return left('The credential has extensions that must be understood.');
  if (!tokenTypes.has(typ?.toLowerCase())) return left('The credential is a token of another type.');
  const verifyWith = async (keys: readonly TrustedKey[] | undefined): Promise<Either<TokenFault, void>> => {
    if (keys === undefined) return left('The keys of the issuer cannot be fetched right now.');
    const key = keyFor(keys, kid);
    return key === undefined
      ? left('The credential names a key that its issuer does not publish.')
      : verifyBy(token, key, { header, at });
  };
  const keys = await keyCache.of(issuer);
  const isKnown = keys !== undefined && keyFor(keys, kid) !== undefined;
  const verified = await verifyWith(isKnown ? keys : await keyCache.of(issuer, true));
  if (!isRight(verified)) return verified;
  const fault = checkLife(claims, at);
  return fault === undefined ? verified : left(fault);
};
