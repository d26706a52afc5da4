/** Public keys out of JSON (RFC 7517, RFC 8037): of two kinds, each with the one algorithm it is for, and its thumbprint. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { JsonObject } from './encoding';
import { decodeBase64url } from './encoding';

/** `Ed25519` is how RFC 9864 calls what RFC 8037 calls `EdDSA`. */
export type Algorithm = 'ES256' | 'EdDSA';

export interface PublicKey {
  readonly algorithm: Algorithm;
  /** JWS wants r and s side by side, not DER. */
  readonly verifying: { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' };
  /** RFC 7638. */
  readonly thumbprint: string;
}

/** Who hands a private key around has lost it. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const coordinate = (value: unknown): string | undefined =>
  typeof value === 'string' && decodeBase64url(value)?.length === 32 ? value : undefined;

const thumbprintOf = (canonical: string): string => createHash('sha256').update(canonical).digest('base64url');

const keyKindOf = ({ kty, crv, x, y }: JsonObject): { algorithm: Algorithm; canonical: string } | undefined => {
  const first = coordinate(x);
  if (first === undefined) return undefined;
  if (kty === 'OKP' && crv === 'Ed25519' && y === undefined)
    return { algorithm: 'EdDSA', canonical: `{"crv":"Ed25519","kty":"OKP","x":"${first}"}` };
  const second = coordinate(y);
  if (kty !== 'EC' || crv !== 'P-256' || second === undefined) return undefined;
  return { algorithm: 'ES256', canonical: `{"crv":"P-256","kty":"EC","x":"${first}","y":"${second}"}` };
};

export const parsePublicJwk = (jwk: JsonObject): PublicKey | undefined => {
  const kind = keyKindOf(jwk);
  if (kind === undefined || privateMembers.some((name) => Object.hasOwn(jwk, name))) return undefined;
  const { algorithm, canonical } = kind;
  try {
    // Of what was read here, and nothing else that stands in it.
    const key = createPublicKey({ key: JSON.parse(canonical), format: 'jwk' });
    return { algorithm, verifying: { key, dsaEncoding: 'ieee-p1363' }, thumbprint: thumbprintOf(canonical) };
  } catch {
    // A point that is not on the curve verifies nothing.
    return undefined;
  }
};
