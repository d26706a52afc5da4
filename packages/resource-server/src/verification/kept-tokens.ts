/** Tokens whose signature was found good, by their hash: clients send the same token many times. */
import type { AccessTokenClaims } from './claims';

export interface VerifiedToken {
  readonly kid: string;
  readonly claims: AccessTokenClaims;
}

export interface KeptTokens {
  readonly find: (hash: string) => VerifiedToken | undefined;
  readonly keep: (hash: string, verified: VerifiedToken) => void;
}

/** The raw token is not kept: a dump of this memory signs nobody in. */
export const keptTokens = (most = 20_000): KeptTokens => {
  const kept = new Map<string, VerifiedToken>();
  return {
    find: (hash) => kept.get(hash),
    keep: (hash, verified) => {
      const oldest = kept.size >= most ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(hash, verified);
    },
  };
};
