/** A principal's life. Status, epoch and credentials share one stream, so that issuance sees them together and fresh. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, oneOf, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId, TenantId } from '../../kernel/ids';
import { CredentialId, PrincipalType } from '../ids';
import { Roles, Scopes } from '../scopes';

export const Reason = text('Reason', { maxLength: 500, examples: ['Left the company.'] });

/** Of a secret of 256 derived bits: nothing to guess, so a plain hash is enough. */
const SecretHash = text('SecretHash', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' });

export const SecurityEpoch = integer(1);

const Grants = oneOf('GrantsOfBefore', ['ended', 'kept']);
export type GrantsOfBefore = TypeOf<typeof Grants>;

export const principals = family('identity', {
  PrincipalRegistered: {
    v: 1,
    data: { principalId: PrincipalId, tenantId: TenantId, principalType: PrincipalType, createdAt: Instant },
  },
  PrincipalSuspended: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
  PrincipalReactivated: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
  /** Left by recovery only, which proves the person or the workload anew. */
  PrincipalMarkedCompromised: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
  PrincipalRecovered: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
  /** By whoever holds the machine and its master key (break-glass): active, and an administrator, whatever was before. */
  AdministratorRecovered: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
  RolesGranted: { v: 1, data: { principalId: PrincipalId, roles: Roles } },
  RolesWithdrawn: { v: 1, data: { principalId: PrincipalId, roles: Roles, reason: Reason } },
  /** Beyond what the roles allow. */
  ScopesGranted: { v: 1, data: { principalId: PrincipalId, scopes: Scopes } },
  ScopesWithdrawn: { v: 1, data: { principalId: PrincipalId, scopes: Scopes, reason: Reason } },
  /** Every token that carries a lower epoch is dead from here on. */
  SecurityEpochBumped: {
    v: 2,
    data: {
      principalId: PrincipalId,
      from: SecurityEpoch,
      to: SecurityEpoch,
      /** What was granted under a lower epoch: worthless from here on, or good for tokens of this one. */
      grants: Grants,
      reason: Reason,
    },
    // Until then only what stood beside it, such as a suspension, ended grants; that still counts.
    from: { 1: (old: object) => ({ ...old, grants: 'kept' }) },
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
