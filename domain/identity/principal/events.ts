/** Status, epoch and credentials of a principal share one stream, so that issuance reads them consistently. */

import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, oneOf, text, withDefault } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId, TenantId } from '../../kernel/ids';
import { ApplicationId, CredentialId, firstAdmin, IncidentId, PrincipalType, TrustRuleId } from '../ids';
import { Roles, Scopes } from '../scopes';

export const Reason = text('Reason', { content: 'lines', maxLength: 500, examples: ['Left the company.'] });

/** A plain hash: the secret has 256 bits. */
const SecretHash = text('SecretHash', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' });

export const SecurityEpoch = integer(1);

const Grants = oneOf('GrantsOfBefore', ['ended', 'kept']);
export type GrantsOfBefore = TypeOf<typeof Grants>;

export const principals = aggregate(
  { context: 'identity', name: 'principal', id: PrincipalId },
  {
    PrincipalRegistered: {
      v: 1,
      data: { principalId: PrincipalId, tenantId: TenantId, principalType: PrincipalType, createdAt: Instant },
    },
    PrincipalSuspended: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
    PrincipalReactivated: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
    /** Only recovery ends this status, which proves the person or workload again. */
    PrincipalMarkedCompromised: {
      v: 1,
      data: { principalId: PrincipalId, reason: Reason, incidentId: withDefault(nullable(IncidentId), null) },
    },
    PrincipalRecovered: {
      v: 1,
      data: { principalId: PrincipalId, reason: Reason, incidentId: withDefault(nullable(IncidentId), null) },
    },
    /** Break-glass: active and administrator, whatever the status was. */
    AdministratorRecovered: { v: 1, data: { principalId: PrincipalId, reason: Reason } },
    RolesGranted: { v: 1, data: { principalId: PrincipalId, roles: Roles } },
    RolesWithdrawn: { v: 1, data: { principalId: PrincipalId, roles: Roles, reason: Reason } },
    /** Beyond the roles' scopes. */
    ScopesGranted: { v: 1, data: { principalId: PrincipalId, scopes: Scopes } },
    ScopesWithdrawn: { v: 1, data: { principalId: PrincipalId, scopes: Scopes, reason: Reason } },
    /** Tokens of lower epochs are void. */
    SecurityEpochBumped: {
      v: 2,
      data: {
        principalId: PrincipalId,
        from: SecurityEpoch,
        to: SecurityEpoch,
        /** Whether grants of lower epochs end or continue. */
        grants: Grants,
        reason: Reason,
      },
      // In version 1 only accompanying events, such as a suspension, ended grants.
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
    /** The application acts as the principal, with these scopes at most. The latest event of an application counts. */
    ServiceClientAuthorized: {
      v: 1,
      data: { principalId: PrincipalId, applicationId: ApplicationId, scopes: Scopes },
    },
    /** Workloads that the rule answers act as the principal, with these scopes at most. The latest event of a rule counts. */
    TrustRuleAuthorized: {
      v: 1,
      data: { principalId: PrincipalId, ruleId: TrustRuleId, scopes: Scopes },
    },
  },
);
export type PrincipalEvent = typeof principals.Event;

export const { stream: principalStream } = principals;

/** Exists after the tenant's bootstrap. */
export const bootstrapStream = (tenant: TenantId): string => principalStream(tenant, firstAdmin);
