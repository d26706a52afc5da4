/** Compact JWS (RFC 7515): parsing and signature verification. */
import { verify } from 'node:crypto';
import { decodeBase64url } from './encoding';
import type { PublicKey } from './public-jwk';

export interface CompactJws {
  /** Encoded, as signed. */
  readonly header: string;
  readonly payload: string;
  /** Signing input: header and payload with the dot. */
  readonly input: string;
  readonly signature: Buffer;
}

/** Base64url length of the 64 bytes of ES256 and Ed25519. */
const signatureLength = 86;

/** Undefined: not three parts. */
export const parseCompactJws = (compact: string): CompactJws | undefined => {
  const first = compact.indexOf('.');
  const second = compact.indexOf('.', first + 1);
  if (first <= 0 || second <= first + 1 || compact.length - second - 1 !== signatureLength) return undefined;
  const signature = decodeBase64url(compact.slice(second + 1));
  if (signature === undefined) return undefined;
  const header = compact.slice(0, first);
  return { header, payload: compact.slice(first + 1, second), input: compact.slice(0, second), signature };
};

/** Synchronous: the thread pool would double the work. The key determines the algorithm, never the header. */
export const verifySignature = ({ input, signature }: CompactJws, { algorithm, verifying }: PublicKey): boolean =>
  verify(algorithm === 'ES256' ? 'sha256' : null, Buffer.from(input, 'latin1'), verifying, signature);
