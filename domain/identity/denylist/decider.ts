/** Denylist: a valid token, once, and a bounded number per tenant, because gateways keep them in memory. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import { type DenialEvent, denials } from './events';

export interface DenyToken {
  readonly type: 'DenyToken';
  readonly jti: string;
  readonly expiresAt: Instant;
  readonly principalId: PrincipalId | null;
  readonly reason: string;
  readonly at: Instant;
}

/** Denied ids of one stream. */
export interface DenialState {
  readonly denied: ReadonlySet<string>;
}

export type DenialRejection = 'too-many-denials';

/** Limit per stream; a tenant has sixteen streams per hour of expiry. */
export const maxDenials = 1_000;

/** Clock tolerance of ten seconds, plus a minute of clock skew. */
const toleranceSeconds = 70;

const decide = (
  { jti, expiresAt, principalId, reason, at }: DenyToken,
  { denied }: DenialState,
): Either<Rejection<DenialRejection>, readonly DenialEvent[]> => {
  if (denied.has(jti) || plusSeconds(expiresAt, toleranceSeconds) <= at) return right([]);
  if (denied.size >= maxDenials)
    return reject('too-many-denials', 'Too many single tokens are denied already: revoke the grant or the principal.');
  return right([{ type: 'TokenDenied', data: { jti, expiresAt, principalId, reason } }]);
};

export const denial: Decider<DenyToken, DenialState, DenialEvent, DenialRejection> = {
  family: denials,
  initial: { denied: new Set() },
  evolve: ({ denied }, { data: { jti } }) => ({ denied: new Set(denied).add(jti) }),
  decide,
};
