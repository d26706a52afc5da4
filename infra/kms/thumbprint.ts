/** RFC 7638: a key's own hash. */
import { createHash } from 'node:crypto';

/** What a thumbprint is made of, by kind of key and in this order: RFC 7638 section 3.2, RFC 8037 section 2. */
const members = { EC: ['crv', 'kty', 'x', 'y'], OKP: ['crv', 'kty', 'x'], RSA: ['e', 'kty', 'n'] } as const;

export interface KeyMembers {
  readonly kty: keyof typeof members;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly e?: string;
  readonly n?: string;
}

export const thumbprintOf = (key: KeyMembers): string => {
  const kept = Object.fromEntries(members[key.kty].map((name) => [name, key[name]]));
  return createHash('sha256').update(JSON.stringify(kept)).digest('base64url');
};
