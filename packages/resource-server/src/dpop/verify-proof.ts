/** Verifies DPoP proofs (RFC 9449). */
import { hash } from 'node:crypto';
import { maxProofSeconds, skewSeconds } from '../access-token/claims';
import { parseCompactJws, verifySignature } from '../jose/compact-jws';
import type { PublicKey } from '../jose/public-jwk';
import { type Either, isLeft, left, right } from '../verification/either';
import type { Nonces } from './nonce';
import { matchesHtu, type ProofClaims, type ProofKeyCache, parseProofClaims, parseProofHeader } from './proof';
import type { ReplayCache } from './replay-cache';

export const proofAlgorithms: readonly string[] = ['ES256', 'EdDSA', 'Ed25519'];

export interface DpopOptions {
  readonly replay: ReplayCache;
  /** Undefined: nonces are neither required nor checked. */
  readonly nonces?: Nonces | undefined;
  /** Accepts proofs without a nonce, but not with a foreign one. */
  readonly nonceOptional?: boolean;
  readonly keys?: ProofKeyCache | undefined;
}

export interface DpopRequest {
  /** The `DPoP` header. */
  readonly proof: string | undefined;
  readonly method: string;
  /** Request URL with the public scheme and host. */
  readonly url: string;
  /** Access token of the request; none at the token endpoint. */
  readonly accessToken?: string | undefined;
  /** Confirmation thumbprint of the token. */
  readonly boundTo?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** `reason` is for logs; clients get the kind only. */
export interface DpopError {
  readonly kind: 'invalid' | 'nonce-wanted' | 'other-key' | 'unavailable';
  readonly reason: string;
}

export interface VerifiedProof {
  readonly jkt: string;
}

const maxProofLength = 8_192;

export const accessTokenHash = (accessToken: string): string => hash('sha256', accessToken, 'base64url');

const invalidProof = (reason: string): Either<DpopError, never> => left({ kind: 'invalid', reason });

const isOutdated = ({ iat, exp, nbf }: ProofClaims, now: number): boolean => {
  const second = now / 1000;
  if (iat < second - maxProofSeconds || iat > second + skewSeconds) return true;
  return (exp !== undefined && exp <= second - skewSeconds) || (nbf !== undefined && nbf > second + skewSeconds);
};

const checkRequestBinding = (
  claims: ProofClaims,
  { method, url, accessToken, now }: DpopRequest,
): string | undefined => {
  if (claims.htm !== method) return 'method';
  if (!matchesHtu(claims.htu, url)) return 'target';
  if (isOutdated(claims, now)) return 'time';
  return accessToken !== undefined && claims.ath !== accessTokenHash(accessToken) ? 'token' : undefined;
};

/** Missing, foreign and expired nonces are answered with a valid one. */
const requiresNonce = ({ nonce }: ProofClaims, { nonces, nonceOptional }: DpopOptions, now: number): boolean => {
  if (nonces === undefined) return false;
  return nonce === undefined ? nonceOptional !== true : !nonces.accepts(nonce, now);
};

interface ParsedProof {
  readonly key: PublicKey;
  readonly claims: ProofClaims;
}

const parseProof = (proof: string | undefined, keys: ProofKeyCache | undefined): Either<DpopError, ParsedProof> => {
  if (proof === undefined) return invalidProof('missing');
  const signed = proof.length > maxProofLength ? undefined : parseCompactJws(proof);
  if (signed === undefined) return invalidProof('form');
  const key = keys?.find(signed.header) ?? parseProofHeader(signed.header);
  if (key === undefined) return invalidProof('header');
  if (!verifySignature(signed, key)) return invalidProof('signature');
  keys?.keep(signed.header, key);
  const claims = parseProofClaims(signed.payload);
  return claims === undefined ? invalidProof('claims') : right({ key, claims });
};

/** Hashed together with the key: clients choose ids, and must not collide with others. */
const proofId = ({ key, claims }: ParsedProof): string =>
  hash('sha256', `${key.thumbprint}.${claims.jti}`, 'base64url');

const checkReplay = async (read: ParsedProof, { replay }: DpopOptions, now: number): Promise<DpopError | undefined> => {
  const until = (read.claims.iat + maxProofSeconds + 1) * 1000;
  const first = await replay.first(proofId(read), until - now);
  if (isLeft(first)) return { kind: 'unavailable', reason: 'replay' };
  return first.right ? undefined : { kind: 'invalid', reason: 'replay' };
};

/** Records the proof last: anyone can sign invalid ones. */
export const verifyProof = async (
  rules: DpopOptions,
  presented: DpopRequest,
): Promise<Either<DpopError, VerifiedProof>> => {
  const read = parseProof(presented.proof, rules.keys);
  if (isLeft(read)) return read;
  const { key, claims } = read.right;
  const misuse = checkRequestBinding(claims, presented);
  if (misuse !== undefined) return invalidProof(misuse);
  const { boundTo, now } = presented;
  if (boundTo !== undefined && key.thumbprint !== boundTo) return left({ kind: 'other-key', reason: 'key' });
  if (requiresNonce(claims, rules, now)) return left({ kind: 'nonce-wanted', reason: 'nonce' });
  const refused = await checkReplay(read.right, rules, now);
  return refused === undefined ? right({ jkt: key.thumbprint }) : left(refused);
};
