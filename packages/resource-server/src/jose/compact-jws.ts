/** A compact JWS (RFC 7515) in its parts, and whether its signature fits. */
import { verify } from 'node:crypto';
import { decodeBase64url } from './encoding';
import type { PublicKey } from './public-jwk';

export interface CompactJws {
  /** As written: what the signature covers, and by which headers are known again. */
  readonly header: string;
  readonly payload: string;
  /** Both, with the dot between. */
  readonly input: string;
  readonly signature: Buffer;
}

/** ES256 and Ed25519 both make 64 bytes. */
const signatureLength = 86;

/** Undefined when it has not three parts, or more. */
export const parseCompactJws = (compact: string): CompactJws | undefined => {
  const first = compact.indexOf('.');
  const second = compact.indexOf('.', first + 1);
  if (first <= 0 || second <= first + 1 || compact.length - second - 1 !== signatureLength) return undefined;
  const signature = decodeBase64url(compact.slice(second + 1));
  if (signature === undefined) return undefined;
  const header = compact.slice(0, first);
  return { header, payload: compact.slice(first + 1, second), input: compact.slice(0, second), signature };
};

/**
 * In this thread: handed to another one it takes twice the work, and what is gained by waiting is lost by it.
 * The algorithm is the key's, whatever a header says.
 */
export const verifySignature = ({ input, signature }: CompactJws, { algorithm, verifying }: PublicKey): boolean =>
  verify(algorithm === 'ES256' ? 'sha256' : null, Buffer.from(input, 'latin1'), verifying, signature);
