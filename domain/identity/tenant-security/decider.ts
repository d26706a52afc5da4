/** All tokens of a tenant, or of everybody, ended at once: for when nobody knows whose were stolen. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { plusSeconds } from '../../kernel/instant';
import type { Rejection } from '../../kernel/rejection';
import { type TenantSecurityEvent, tenantSecurity } from './events';

export interface BumpTenantEpoch {
  readonly type: 'BumpTenantEpoch';
  readonly at: Instant;
  readonly reason: string;
}

export interface TenantSecurityState {
  /** Null: there is no floor. */
  readonly notBefore: Instant | null;
}

/**
 * Tokens say by which clock they were issued in whole seconds, and that clock may be ahead of the one that says now: up to so
 * far beyond it they are taken for earlier ones. For so long nobody of the tenant gets a token that counts.
 */
export const skewSeconds = 10;

const decide = (
  { at, reason }: BumpTenantEpoch,
  state: TenantSecurityState,
): Either<Rejection<never>, readonly TenantSecurityEvent[]> => {
  const notBefore = plusSeconds(at, skewSeconds);
  if (state.notBefore !== null && notBefore <= state.notBefore) return right([]);
  return right([{ type: 'TenantEpochBumped', data: { notBefore, reason } }]);
};

export const tenantFloor: Decider<BumpTenantEpoch, TenantSecurityState, TenantSecurityEvent, never> = {
  family: tenantSecurity,
  initial: { notBefore: null },
  evolve: (state, { data: { notBefore } }) =>
    state.notBefore !== null && notBefore <= state.notBefore ? state : { notBefore },
  decide,
};
