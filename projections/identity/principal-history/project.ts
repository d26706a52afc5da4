import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type PrincipalHistoryRow, principalHistoryView } from './view';

interface Entry {
  readonly reason?: string;
  readonly details?: PrincipalHistoryRow['details'];
}

const entry = ({ data, at, event }: RecordedEvent<PrincipalEvent>, { reason, details = {} }: Entry) =>
  putRow<PrincipalHistoryRow>({
    principalId: data.principalId,
    eventId: event.id,
    type: event.type,
    at: event.occurredAt,
    actor: event.actor,
    reason: reason ?? null,
    details: { ...details, ...event.delegation },
    ...at,
  });

export const principalHistoryProjection = projection(principalHistoryView, [
  streamsOf(principals, {
    PrincipalRegistered: (recorded) => entry(recorded, { details: { principalType: recorded.data.principalType } }),
    PrincipalSuspended: (recorded) => entry(recorded, { reason: recorded.data.reason }),
    PrincipalReactivated: (recorded) => entry(recorded, { reason: recorded.data.reason }),
    SecurityEpochBumped: (recorded) => {
      const { from, to, grants, reason } = recorded.data;
      return entry(recorded, { reason, details: { from, to, grants } });
    },
    PrincipalMarkedCompromised: (recorded) => entry(recorded, { reason: recorded.data.reason }),
    PrincipalRecovered: (recorded) => entry(recorded, { reason: recorded.data.reason }),
    AdministratorRecovered: (recorded) => entry(recorded, { reason: recorded.data.reason }),
    RolesGranted: (recorded) => entry(recorded, { details: { roles: recorded.data.roles } }),
    RolesWithdrawn: (recorded) => {
      const { roles, reason } = recorded.data;
      return entry(recorded, { reason, details: { roles } });
    },
    ScopesGranted: (recorded) => entry(recorded, { details: { scopes: recorded.data.scopes } }),
    ScopesWithdrawn: (recorded) => {
      const { scopes, reason } = recorded.data;
      return entry(recorded, { reason, details: { scopes } });
    },
    CredentialIssued: (recorded) => {
      const { credentialId, scopes, expiresAt } = recorded.data;
      return entry(recorded, { details: { credentialId, scopes, expiresAt } });
    },
    CredentialRevoked: (recorded) => {
      const { credentialId, reason } = recorded.data;
      return entry(recorded, { reason, details: { credentialId } });
    },
    ServiceClientAuthorized: (recorded) => {
      const { applicationId, scopes } = recorded.data;
      return entry(recorded, { details: { applicationId, scopes } });
    },
    TrustRuleAuthorized: (recorded) => {
      const { ruleId, scopes } = recorded.data;
      return entry(recorded, { details: { ruleId, scopes } });
    },
  }),
]);
