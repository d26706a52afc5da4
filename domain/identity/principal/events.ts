/** A principal's life. Status, epoch and credentials share one stream, so that issuance sees them together and fresh. */
import { Instant, integer, nullable, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { TenantId } from '../../kernel/ids';
import { CredentialId, PrincipalId, PrincipalType } from '../principal-id';
import { Scopes } from '../scopes';

export const Reason = text('Reason', { maxLength: 500, examples: ['Left the company.'] });

/** Of a secret of 256 derived bits: nothing to guess, so a plain hash is enough. */
const SecretHash = text('SecretHash', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' });

export const SecurityEpoch = integer(1);

export const principals = family('identity', {
  PrincipalRegistered: {
    v: 1,
    data: { principalId: PrincipalId, tenantId: TenantId, principalType: PrincipalType, createdAt: Instant },
  },
  PrincipalSuspended: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
  PrincipalReactivated: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
  /** Every token that carries a lower epoch is dead from here on. */
  SecurityEpochBumped: {
    v: 1,
    data: { principalId: PrincipalId, from: SecurityEpoch, to: SecurityEpoch, reason: Reason },
  },
  CredentialIssued: {
    v: 1,
    data: {
      principalId: PrincipalId,
      credentialId: CredentialId,
      secretHash: SecretHash,
      scopes: Scopes,
      createdAt: Instant,
      expiresAt: nullable(Instant),
    },
  },
  CredentialRevoked: { v: 1, data: { principalId: PrincipalId, credentialId: CredentialId, reason: Reason } },
});
export type PrincipalEvent = typeof principals.Event;
