/** Denied tokens by `jti`; the token itself is never recorded. */
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
      /** Expiry of the token, after which the denial is void. */
      expiresAt: Instant,
      /** The principal, if known. */
      principalId: nullable(PrincipalId),
      reason: Reason,
    },
  },
});
export type DenialEvent = typeof denials.Event;
