import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

export type KmsFault = Fault<'signing-unavailable'>;

/** A public key as RFC 7517 writes it. */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** Private keys live behind this port and never leave it. */
export interface Kms {
  /** The key that signs now. */
  readonly activeKey: () => Promise<Either<KmsFault, PublicJwk>>;
  /** Every key whose signatures are still to be accepted. */
  readonly publicKeys: () => Promise<Either<KmsFault, readonly PublicJwk[]>>;
  /** ES256 over the bytes: the 64-byte signature of RFC 7518 section 3.4. */
  readonly sign: (kid: string, bytes: Uint8Array) => Promise<Either<KmsFault, Uint8Array>>;
  /** A secret of 32 bytes (base64url) that is always the same for the same label: HMAC-SHA-256 under the master key. */
  readonly derive: (label: string) => Promise<Either<KmsFault, string>>;
}
