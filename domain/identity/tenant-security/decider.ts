/** Ends all tokens of a tenant, or of the platform, by a not-before time. */
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
  /** Null: no not-before time. */
  readonly notBefore: Instant | null;
  /** Latest not-before times, newest first, at most as many as one hour allows. */
  readonly recent: readonly Instant[];
}

/**
 * Tokens have whole seconds of a clock that may be ahead: tokens issued up to this much later count as earlier, so the tenant gets no valid
 * token meanwhile.
 */
export const skewSeconds = 10;

/** Each use interrupts the tenant for a moment; the limit prevents an outage by repetition. */
export const maxPerHour = 3;
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
    return reject('revoked-too-often', `All tokens can be revoked at once at most ${maxPerHour} times an hour.`);
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
