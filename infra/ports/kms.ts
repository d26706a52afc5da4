import type { Either } from 'fp-ts/Either';
import type { Fault, Rejection } from '../../domain/kernel/rejection';

export type KmsFault = Fault<'signing-unavailable'>;

/** For good: trying again later changes nothing. */
export type KmsRefusal = Rejection<'algorithm-unsupported'>;

export type SigningAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

/** A P-256 key as RFC 7517 writes it. */
export interface EcPublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** An Ed25519 key as RFC 8037 writes it. */
export interface OkpPublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** An RSA key as RFC 7518 section 6.3 writes it. */
export interface RsaPublicJwk {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly alg: 'RS256';
  readonly use: 'sig';
}

/** `kid` is the key's own hash (RFC 7638), so that no two keys can share one. */
export type PublicJwk = EcPublicJwk | OkpPublicJwk | RsaPublicJwk;

export interface NewKey {
  readonly algorithm: SigningAlgorithm;
  /** Letters, digits, dashes, underscores; 64 at most. */
  readonly name: string;
}

/** Private keys never leave this port. All processes with the same configuration have the same keys. */
export interface Kms {
  /** Where the keys are, in a word. */
  readonly keystore: string;
  /** Durable when it returns. Returns the existing key of that name, if there is one, so that a retry creates no second key. */
  readonly create: (wanted: NewKey) => Promise<Either<KmsFault | KmsRefusal, PublicJwk>>;
  /** All keys, in the order of their names. */
  readonly list: () => Promise<Either<KmsFault, readonly PublicJwk[]>>;
  /** The signature as JWS has it: 64 bytes of ES256 and EdDSA (RFC 7518 section 3.4, RFC 8037 section 3.1), 256 of RS256. */
  readonly sign: (kid: string, bytes: Uint8Array) => Promise<Either<KmsFault, Uint8Array>>;
  /** A secret of 32 bytes (base64url) derived from the label: HMAC-SHA-256 under a key of this store. */
  readonly derive: (label: string) => Promise<Either<KmsFault, string>>;
  /** Also where there is none of it. */
  readonly destroy: (kid: string) => Promise<Either<KmsFault, void>>;
}

/** Access tokens and ID tokens have keys of their own, which rotate alike. */
export type KeyUse = 'access-token' | 'id-token';

/** Signer of tokens: the active keys, and the keys whose signatures are accepted. */
export interface Signer {
  readonly activeKey: (use: KeyUse) => Promise<Either<KmsFault, PublicJwk>>;
  /** Every key whose signatures are to be accepted, now or soon. */
  readonly publicKeys: () => Promise<Either<KmsFault, readonly PublicJwk[]>>;
  /** The same, and every key that was retired: id_tokens stay hints after their expiry. Without revoked keys. */
  readonly hintKeys: () => Promise<Either<KmsFault, readonly PublicJwk[]>>;
  readonly sign: Kms['sign'];
}
