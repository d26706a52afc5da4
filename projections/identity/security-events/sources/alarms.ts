/** Rows of denials, not-before times, replays and incidents. */
import { codes } from '../../../../domain/identity/authorization-code/events';
import { denials } from '../../../../domain/identity/denylist/events';
import { deviceRequests } from '../../../../domain/identity/device-authorization/events';
import { incidents } from '../../../../domain/identity/incident/events';
import { tenants } from '../../../../domain/identity/tenant/events';
import { tenantSecurity } from '../../../../domain/identity/tenant-security/events';
import { streamsOf } from '../../../kernel/projection';
import { ofPrincipal, type RowSource, row } from '../row';

export const denialEvents: RowSource = streamsOf(denials, {
  TokenDenied: (recorded) => {
    const { jti, expiresAt, principalId, reason } = recorded.data;
    return row(recorded, { summary: `Token revoked: ${reason}`, principalId, details: { jti, expiresAt, reason } });
  },
});

export const tenantSecurityEvents: RowSource = streamsOf(tenantSecurity, {
  TenantEpochBumped: (recorded) => {
    const { notBefore, reason } = recorded.data;
    const summary = `Every token issued before ${notBefore} is refused: ${reason}`;
    return row(recorded, { summary, severity: 'SEV-2', details: { notBefore, reason } });
  },
});

export const tenantEvents: RowSource = streamsOf(tenants, {
  TenantRegistered: (recorded) => row(recorded, { summary: `Tenant registered: ${recorded.data.name}` }),
  // The code makes its holder an administrator.
  FirstSignInCodeIssued: (recorded) => {
    const { expiresAt } = recorded.data;
    const summary = 'Code issued for the first administrator of the tenant.';
    return row(recorded, { summary, severity: 'SEV-3', details: { expiresAt } });
  },
});

export const authorizationCodeEvents: RowSource = streamsOf(codes, {
  // The grant made with them is listed itself.
  ignored: ['CodeIssued', 'CodeRedeemed'],
  CodeReplayed: (recorded) => {
    const { grantId } = recorded.data;
    const summary = 'An authorization code that had been redeemed was presented again: what it granted is revoked.';
    return ofPrincipal(recorded, { summary, severity: 'SEV-2', details: { grantId } });
  },
});

export const deviceEvents: RowSource = streamsOf(deviceRequests, {
  // The grant made with them is listed itself.
  ignored: ['DeviceRequested', 'DeviceApproved', 'DeviceDenied', 'DeviceRedeemed'],
  DeviceReplayed: (recorded) => {
    const { grantId } = recorded.data;
    const summary = 'A device code that had been redeemed was presented again: what it granted is revoked.';
    return ofPrincipal(recorded, { summary, severity: 'SEV-2', details: { grantId } });
  },
});

export const incidentEvents: RowSource = streamsOf(incidents, {
  IncidentOpened: (recorded) => {
    const { incidentId, severity, subject, grantId, familyId } = recorded.data;
    const summary = `Incident opened: ${subject.replaceAll('-', ' ')}.`;
    return ofPrincipal(recorded, { summary, severity, details: { incidentId, subject, grantId, familyId } });
  },
});
