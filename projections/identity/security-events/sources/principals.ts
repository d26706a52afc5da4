import { principalTypeNames } from '../../../../domain/identity/ids';
import { issuance } from '../../../../domain/identity/issuance/events';
import { principals } from '../../../../domain/identity/principal/events';
import { streamsOf } from '../../../kernel/projection';
import { ofPrincipal, type RowSource } from '../row';

export const principalEvents: RowSource = streamsOf(principals, {
  PrincipalRegistered: (recorded) => {
    const { principalType } = recorded.data;
    return ofPrincipal(recorded, {
      summary: `Principal registered: ${principalTypeNames[principalType]}.`,
      principalType,
    });
  },
  PrincipalSuspended: (recorded) => {
    const { reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Principal suspended: ${reason}`, details: { reason } });
  },
  PrincipalReactivated: (recorded) => {
    const { reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Principal reactivated: ${reason}`, details: { reason } });
  },
  SecurityEpochBumped: (recorded) => {
    const { from, to, grants, reason } = recorded.data;
    const what = grants === 'ended' ? ', and every grant ended' : '';
    const summary = `All tokens revoked${what}: ${reason}`;
    return ofPrincipal(recorded, { summary, details: { from, to, grants, reason } });
  },
  PrincipalMarkedCompromised: (recorded) => {
    const { reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Principal marked as compromised: ${reason}`, details: { reason } });
  },
  PrincipalRecovered: (recorded) => {
    const { reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Principal recovered: ${reason}`, details: { reason } });
  },
  AdministratorRecovered: (recorded) => {
    const { reason } = recorded.data;
    const summary = `Administrator restored by break-glass: ${reason}`;
    return ofPrincipal(recorded, { summary, details: { reason } });
  },
  RolesGranted: (recorded) => {
    const { roles } = recorded.data;
    return ofPrincipal(recorded, { summary: `Roles granted: ${roles.join(', ')}.`, details: { roles } });
  },
  RolesWithdrawn: (recorded) => {
    const { roles, reason } = recorded.data;
    return ofPrincipal(recorded, {
      summary: `Roles withdrawn (${roles.join(', ')}): ${reason}`,
      details: { roles, reason },
    });
  },
  ScopesGranted: (recorded) => {
    const { scopes } = recorded.data;
    return ofPrincipal(recorded, { summary: `Scopes granted: ${scopes.join(', ')}.`, details: { scopes } });
  },
  ScopesWithdrawn: (recorded) => {
    const { scopes, reason } = recorded.data;
    return ofPrincipal(recorded, {
      summary: `Scopes withdrawn (${scopes.join(', ')}): ${reason}`,
      details: { scopes, reason },
    });
  },
  CredentialIssued: (recorded) => {
    const { credentialId, scopes, expiresAt } = recorded.data;
    const summary = `Credential issued with ${scopes.join(', ')}.`;
    return ofPrincipal(recorded, { summary, details: { credentialId, scopes, expiresAt } });
  },
  CredentialRevoked: (recorded) => {
    const { credentialId, reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Credential revoked: ${reason}`, details: { credentialId, reason } });
  },
  ServiceClientAuthorized: (recorded) => {
    const { applicationId, scopes } = recorded.data;
    const summary = `Client ${applicationId} may act as the principal, with ${scopes.join(', ')}.`;
    return ofPrincipal(recorded, { summary, details: { applicationId, scopes } });
  },
  TrustRuleAuthorized: (recorded) => {
    const { ruleId, scopes } = recorded.data;
    const summary = `Workloads of a trust rule may act as the principal, with ${scopes.join(', ')}.`;
    return ofPrincipal(recorded, { summary, details: { ruleId, scopes } });
  },
});

/** Without the source address: personal data in an index cannot be erased by key. */
export const issuanceEvents: RowSource = streamsOf(issuance, {
  TokenIssued: (recorded) => {
    const { principalType, clientId, jti, credentialId, grantId, sessionId, ...token } = recorded.data;
    const { audience, scopes, securityEpoch, jkt, x5t, expiresAt, delegation } = token;
    const acting = delegation === null ? '' : ` on behalf of ${delegation.onBehalfOf}`;
    const summary = `Token issued for ${audience.join(', ')} with ${scopes.join(', ')}${acting}.`;
    const issued = { jti, credentialId, grantId, sessionId, audience, scopes, securityEpoch, jkt, x5t, expiresAt };
    const details = delegation === null ? issued : { ...issued, ...delegation };
    return ofPrincipal(recorded, { summary, principalType, clientId, jti, result: 'ALLOW', details });
  },
});
