/** Single tokens that are refused before they expire. What is denied is named by its id; the token is never recorded. */
import type { TypeOf } from 'io-ts';
import { Instant, nullable, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { Reason } from '../principal/events';

export const TokenId = text('TokenId', { maxLength: 64, examples: ['f3c1a7de-0c8b-4a5e-9d2f-6b7c8d9e0f1a'] });
export type TokenId = TypeOf<typeof TokenId>;

export const denials = family('identity', {
  TokenDenied: {
    v: 1,
    data: {
      jti: TokenId,
      /** The token's own end: from there on it needs no denial. */
      expiresAt: Instant,
      /** Whose it was, where that is known. */
      principalId: nullable(PrincipalId),
      reason: Reason,
    },
  },
});
export type DenialEvent = typeof denials.Event;
