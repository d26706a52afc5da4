/** Tokens whose signature was found good, by their hash: clients send the same token many times. */
import { createHash } from 'node:crypto';
import type { AccessTokenClaims } from './token';

export interface Verified {
  readonly kid: string;
  readonly claims: AccessTokenClaims;
}

export interface VerifiedTokens {
  readonly find: (token: string) => Verified | undefined;
  readonly keep: (token: string, verified: Verified) => void;
}

/** The raw token is not kept: a dump of this memory signs nobody in. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');

export const verifiedTokens = (most = 20_000): VerifiedTokens => {
  const kept = new Map<string, Verified>();
  return {
    find: (token) => kept.get(hashOf(token)),
    keep: (token, verified) => {
      const oldest = kept.size >= most ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(hashOf(token), verified);
    },
  };
};
