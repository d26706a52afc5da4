/** Denied tokens by `jti`; the token itself is never recorded. */

import type { TypeOf } from 'io-ts';
import { Instant, nullable, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { PrincipalId } from '../../kernel/ids';
import { hourOf } from '../../kernel/instant';
import { Reason } from '../principal/events';

export const TokenId = text('TokenId', { maxLength: 64, examples: ['f3c1a7de-0c8b-4a5e-9d2f-6b7c8d9e0f1a'] });
export type TokenId = TypeOf<typeof TokenId>;

export const denials = aggregate(
  { context: 'identity', name: 'denials' },
  {
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
  },
);
export type DenialEvent = typeof denials.Event;

const denialShards = 16;

/** Sharded to keep streams short and concurrent denials apart. */
const shardOf = (jti: string): string =>
  ([...jti].reduce((sum, character) => sum + (character.codePointAt(0) as number), 0) % denialShards).toString(16);

/** By hour of expiry: older streams are irrelevant. */
export const denialStream = (tenant: TenantId, { jti, expiresAt }: { jti: string; expiresAt: Instant }): string =>
  denials.stream(tenant, `${hourOf(expiresAt)}-${shardOf(jti)}`);
