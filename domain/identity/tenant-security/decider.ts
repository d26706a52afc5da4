/** All tokens of a tenant, or of everybody, ended at once: for when nobody knows whose were stolen. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import { type TenantSecurityEvent, tenantSecurity } from './events';

export interface BumpTenantEpoch {
  readonly type: 'BumpTenantEpoch';
  readonly at: Instant;
  readonly reason: string;
}

export interface TenantSecurityState {
  /** Null: there is no floor. */
  readonly notBefore: Instant | null;
  /** The floors of the last times, the newest first: as many as one hour may see. */
  readonly recent: readonly Instant[];
}

/**
 * Tokens say by which clock they were issued in whole seconds, and that clock may be ahead of the one that says now: up to so
 * far beyond it they are taken for earlier ones. For so long nobody of the tenant gets a token that counts.
 */
export const skewSeconds = 10;

/** Each time shuts everybody out for a moment: said again and again, it would be an outage. */
const maxPerHour = 3;
const hourSeconds = 3_600;

export type TenantNotBeforeRejection = 'revoked-too-often';

const decide = (
  { at, reason }: BumpTenantEpoch,
  state: TenantSecurityState,
): Either<Rejection<TenantNotBeforeRejection>, readonly TenantSecurityEvent[]> => {
  const notBefore = plusSeconds(at, skewSeconds);
  if (state.notBefore !== null && notBefore <= state.notBefore) return right([]);
  const earliest = state.recent[maxPerHour - 1];
  if (earliest !== undefined && notBefore < plusSeconds(earliest, hourSeconds))
    return reject('revoked-too-often', `All tokens at once are ended ${maxPerHour} times an hour at most.`);
  return right([{ type: 'TenantEpochBumped', data: { notBefore, reason } }]);
};

export const tenantNotBefore: Decider<
  BumpTenantEpoch,
  TenantSecurityState,
  TenantSecurityEvent,
  TenantNotBeforeRejection
> = {
  family: tenantSecurity,
  initial: { notBefore: null, recent: [] },
  evolve: (state, { data: { notBefore } }) =>
    state.notBefore !== null && notBefore <= state.notBefore
      ? state
      : { notBefore, recent: [notBefore, ...state.recent].slice(0, maxPerHour) },
  decide,
};
