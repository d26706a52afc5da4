/** Rows of denials, not-before times, replays and incidents. */
import { codes } from '../../../../domain/identity/authorization-code/events';
import { denials } from '../../../../domain/identity/denylist/events';
import { deviceRequests } from '../../../../domain/identity/device-authorization/events';
import { incidents, securityRecovery } from '../../../../domain/identity/incident/events';
import { tenants } from '../../../../domain/identity/tenant/events';
import { tenantSecurity } from '../../../../domain/identity/tenant-security/events';
import { streamsOf } from '../../../kernel/projection';
import { ofPrincipal, type RowSource, row } from '../row';

export const denialEvents: RowSource = streamsOf(denials, {
  TokenDenied: (recorded) => {
    const { jti, expiresAt, principalId, reason } = recorded.data;
    const details = { jti, expiresAt, reason };
    return row(recorded, { summary: `Token revoked: ${reason}`, principalId, jti, details });
  },
});

export const tenantSecurityEvents: RowSource = streamsOf(tenantSecurity, {
  TenantEpochBumped: (recorded) => {
    const { notBefore, reason } = recorded.data;
    const summary = `Every token issued before ${notBefore} is refused: ${reason}`;
    return row(recorded, { summary, details: { notBefore, reason } });
  },
});

export const tenantEvents: RowSource = streamsOf(tenants, {
  TenantRegistered: (recorded) => row(recorded, { summary: `Tenant registered: ${recorded.data.name}` }),
  FirstSignInCodeIssued: (recorded) => {
    const { expiresAt } = recorded.data;
    const summary = 'Code issued for the first administrator of the tenant.';
    return row(recorded, { summary, details: { expiresAt } });
  },
});

export const authorizationCodeEvents: RowSource = streamsOf(codes, {
  // The grant made with them is listed itself.
  ignored: ['CodeIssued', 'CodeRedeemed'],
  CodeReplayed: (recorded) => {
    const { grantId } = recorded.data;
    const summary = 'An authorization code that had been redeemed was presented again: what it granted is revoked.';
    return ofPrincipal(recorded, { summary, result: 'DENY', details: { grantId } });
  },
});

export const deviceEvents: RowSource = streamsOf(deviceRequests, {
  // The grant made with them is listed itself.
  ignored: ['DeviceRequested', 'DeviceApproved', 'DeviceDenied', 'DeviceRedeemed'],
  DeviceReplayed: (recorded) => {
    const { grantId } = recorded.data;
    const summary = 'A device code that had been redeemed was presented again: what it granted is revoked.';
    return ofPrincipal(recorded, { summary, result: 'DENY', details: { grantId } });
  },
});

const spaced = (name: string): string => name.replaceAll('-', ' ');

export const incidentEvents: RowSource = streamsOf(incidents, {
  IncidentOpened: (recorded) => {
    const { incidentId, subject, reach, principalId, grantId, familyId, drill } = recorded.data;
    const summary = `${drill ? 'Drill' : 'Incident'} opened: ${spaced(subject)}.`;
    return row(recorded, {
      summary,
      principalId,
      details: { incidentId, subject, reach, grantId, familyId, drill },
    });
  },
  ContainmentStepTaken: (recorded) => {
    const { incidentId, principalId, step, result, detail } = recorded.data;
    const summary = `Incident: ${spaced(step)}. ${detail}`;
    return row(recorded, { summary, principalId, details: { incidentId, step, result } });
  },
  IncidentRecovered: (recorded) => {
    const { incidentId, principalId, method } = recorded.data;
    const summary = `Recovered from the incident by ${spaced(method)}.`;
    return row(recorded, { summary, principalId, details: { incidentId, method, reason: securityRecovery } });
  },
  IncidentClosed: (recorded) => {
    const { incidentId, principalId, reason } = recorded.data;
    return row(recorded, { summary: `Incident closed: ${reason}`, principalId, details: { incidentId, reason } });
  },
});
