/** Public JWKs (RFC 7517, RFC 8037) to verification keys: two types, each with one algorithm. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { JsonObject } from './encoding';
import { decodeBase64url } from './encoding';

/** RFC 9864 calls `EdDSA` of RFC 8037 `Ed25519`. */
export type Algorithm = 'ES256' | 'EdDSA';

export interface PublicKey {
  readonly algorithm: Algorithm;
  /** JWS uses the concatenation of r and s, not DER. */
  readonly verifying: { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' };
  /** RFC 7638. */
  readonly thumbprint: string;
}

/** A key with private members is compromised. */
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
    // Imports only the validated members.
    const key = createPublicKey({ key: JSON.parse(canonical), format: 'jwk' });
    return { algorithm, verifying: { key, dsaEncoding: 'ieee-p1363' }, thumbprint: thumbprintOf(canonical) };
  } catch {
    // Not a point of the curve.
    return undefined;
  }
};
