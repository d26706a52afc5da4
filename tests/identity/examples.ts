/** Facts and commands that the tests of this context speak of. */

import { credentialPolicy } from '../../domain/identity/credential-policy/decider';
import type { CredentialId } from '../../domain/identity/ids';
import type { IssueCredential, MovePrincipal } from '../../domain/identity/principal/decider';
import type { GrantsOfBefore, PrincipalEvent } from '../../domain/identity/principal/events';
import { adminScopes, type Scope } from '../../domain/identity/scopes';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';

export const tenantId = 'acme' as TenantId;
export const principalId = 'p-1' as PrincipalId;
export const credentialId = 'c-1' as CredentialId;
export const noon = '2026-01-31T12:00:00.000Z' as Instant;
export const evening = '2026-01-31T18:00:00.000Z' as Instant;
export const scope = (name: string): Scope => name as Scope;
const [reads, writes] = [scope('principals:read'), scope('principals:write')];
const secretHash = 'ab'.repeat(32);

export const registered: PrincipalEvent = {
  type: 'PrincipalRegistered',
  data: { principalId, tenantId, principalType: 'PIPELINE', createdAt: noon },
};
export const suspended: PrincipalEvent = { type: 'PrincipalSuspended', data: { principalId, reason: 'Lost.' } };
export const reactivated: PrincipalEvent = { type: 'PrincipalReactivated', data: { principalId, reason: 'Found.' } };
export const bumped = (from: number, grants: GrantsOfBefore = 'ended'): PrincipalEvent => ({
  type: 'SecurityEpochBumped',
  data: { principalId, from, to: from + 1, grants, reason: 'Lost.' },
});
export const issued = (id: string = credentialId): PrincipalEvent => ({
  type: 'CredentialIssued',
  data: {
    principalId,
    credentialId: id as CredentialId,
    secretHash,
    scopes: [reads],
    createdAt: noon,
    expiresAt: evening,
  },
});
export const revoked = {
  type: 'CredentialRevoked' as const,
  data: { principalId, credentialId, reason: 'Leaked.' },
} satisfies PrincipalEvent;

/** An administrator with every scope. */
export const byAdmin = { by: 'admin', held: adminScopes, at: noon } as const;
export const move = (type: MovePrincipal['type'], reason: string): MovePrincipal => ({
  type,
  principalId,
  reason,
  ...byAdmin,
});
export const issue = (changes: Partial<IssueCredential> = {}): IssueCredential => ({
  type: 'IssueCredential',
  principalId,
  credentialId,
  secretHash,
  scopes: [reads],
  by: 'admin',
  held: [reads, writes],
  at: noon,
  expiresAt: evening,
  policy: credentialPolicy.initial,
  ...changes,
});
