/** Keys of clients as they hand them over (RFC 7517): the public parts, and which certificate a key came in (RFC 8705 section 2.2.2). */
import { hash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { PublicKey } from '../../../domain/identity/public-key';
import { decode } from '../../../domain/kernel/codec';

export type ClientKey = TypeOf<typeof PublicKey>;

/** Who hands a private key around has lost it; `k` is a secret that both sides would share. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const base64 = /^[A-Za-z0-9+/]{80,11000}={0,2}$/;

const certificateOf = (key: object): { readonly 'x5t#S256'?: string } => {
  const [first] = 'x5c' in key && Array.isArray(key.x5c) ? (key.x5c as readonly unknown[]) : [];
  if (typeof first !== 'string' || !base64.test(first)) return {};
  return { 'x5t#S256': hash('sha256', Buffer.from(first, 'base64'), 'base64url') };
};

/** Undefined when it is no public key of a kind that is known here. */
export const clientKeyOf = (key: unknown): ClientKey | undefined => {
  if (typeof key !== 'object' || key === null) return undefined;
  if (privateMembers.some((name) => Object.hasOwn(key, name))) return undefined;
  const decoded = decode(PublicKey, { ...key, ...certificateOf(key) });
  return isLeft(decoded) ? undefined : decoded.right;
};
