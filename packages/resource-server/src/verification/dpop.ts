/** Proofs of possession (RFC 9449): who sends a request holds the key that its token, or its grant, is bound to. */
import { hash } from 'node:crypto';
import { type ProofClaims, proofClaimsOf } from './dpop-claims';
import { type ProofKeys, proofHeaderOf } from './dpop-header';
import type { Nonces } from './dpop-nonce';
import { isTarget } from './dpop-target';
import { type Either, isLeft, left, right } from './either';
import type { PublicKey } from './public-key';
import type { Replay } from './replay';
import { fits, signedOf } from './signed';
import { longestProofSeconds, skewSeconds } from './times';

export const proofAlgorithms: readonly string[] = ['ES256', 'EdDSA', 'Ed25519'];

export interface ProofRules {
  readonly replay: Replay;
  /** Left out, proofs need no nonce, and one that they have says nothing. */
  readonly nonces?: Nonces | undefined;
  /** A proof without a nonce is let pass; one with a nonce that is not ours is not. */
  readonly nonceOptional?: boolean;
  readonly keys?: ProofKeys | undefined;
}

export interface Presented {
  /** The `DPoP` header, as it came. */
  readonly proof: string | undefined;
  readonly method: string;
  /** As the client wrote it, or would have: its scheme and host are the public ones. */
  readonly url: string;
  /** The token that is sent with it; at the token endpoint there is none. */
  readonly accessToken?: string | undefined;
  /** What the token is bound to. */
  readonly boundTo?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** `reason` is for logs: who sent it is told the kind only. */
export interface ProofRefusal {
  readonly kind: 'invalid' | 'nonce-wanted' | 'other-key' | 'unavailable';
  readonly reason: string;
}

export interface Proved {
  readonly jkt: string;
}

const longestProof = 8_192;

export const athOf = (accessToken: string): string => hash('sha256', accessToken, 'base64url');

const invalid = (reason: string): Either<ProofRefusal, never> => left({ kind: 'invalid', reason });

const untimely = ({ iat, exp, nbf }: ProofClaims, now: number): boolean => {
  const second = now / 1000;
  if (iat < second - longestProofSeconds || iat > second + skewSeconds) return true;
  return (exp !== undefined && exp <= second - skewSeconds) || (nbf !== undefined && nbf > second + skewSeconds);
};

const misused = (claims: ProofClaims, { method, url, accessToken, now }: Presented): string | undefined => {
  if (claims.htm !== method) return 'method';
  if (!isTarget(claims.htu, url)) return 'target';
  if (untimely(claims, now)) return 'time';
  return accessToken !== undefined && claims.ath !== athOf(accessToken) ? 'token' : undefined;
};

/** What was not given by us, or too long ago, is answered with one that will do. */
const nonceWanted = ({ nonce }: ProofClaims, { nonces, nonceOptional }: ProofRules, now: number): boolean => {
  if (nonces === undefined) return false;
  return nonce === undefined ? nonceOptional !== true : !nonces.accepts(nonce, now);
};

interface Read {
  readonly key: PublicKey;
  readonly claims: ProofClaims;
}

const readProof = (proof: string | undefined, keys: ProofKeys | undefined): Either<ProofRefusal, Read> => {
  if (proof === undefined) return invalid('missing');
  const signed = proof.length > longestProof ? undefined : signedOf(proof);
  if (signed === undefined) return invalid('form');
  const key = keys?.find(signed.header) ?? proofHeaderOf(signed.header);
  if (key === undefined) return invalid('header');
  if (!fits(signed, key)) return invalid('signature');
  keys?.keep(signed.header, key);
  const claims = proofClaimsOf(signed.payload);
  return claims === undefined ? invalid('claims') : right({ key, claims });
};

/** Hashed with its key: names of proofs are chosen by who signs them, and must not meet those of others. */
const idOf = ({ key, claims }: Read): string => hash('sha256', `${key.thumbprint}.${claims.jti}`, 'base64url');

const shownBefore = async (read: Read, { replay }: ProofRules, now: number): Promise<ProofRefusal | undefined> => {
  const until = (read.claims.iat + longestProofSeconds + 1) * 1000;
  const first = await replay.first(idOf(read), until - now);
  if (isLeft(first)) return { kind: 'unavailable', reason: 'replay' };
  return first.right ? undefined : { kind: 'invalid', reason: 'replay' };
};

/** A proof is remembered only when all else fits: anybody can sign what is of no use. */
export const verifyProof = async (rules: ProofRules, presented: Presented): Promise<Either<ProofRefusal, Proved>> => {
  const read = readProof(presented.proof, rules.keys);
  if (isLeft(read)) return read;
  const { key, claims } = read.right;
  const misuse = misused(claims, presented);
  if (misuse !== undefined) return invalid(misuse);
  const { boundTo, now } = presented;
  if (boundTo !== undefined && key.thumbprint !== boundTo) return left({ kind: 'other-key', reason: 'key' });
  if (nonceWanted(claims, rules, now)) return left({ kind: 'nonce-wanted', reason: 'nonce' });
  const refused = await shownBefore(read.right, rules, now);
  return refused === undefined ? right({ jkt: key.thumbprint }) : left(refused);
};
