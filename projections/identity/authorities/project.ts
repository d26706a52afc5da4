import { firstAdmin } from '../../../domain/identity/ids';
import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type AuthorityRow, authoritiesView } from './view';

type Kind = AuthorityRow['kind'];

const granted = ({ data, at, event }: RecordedEvent<PrincipalEvent>, kind: Kind, names: readonly string[]) => {
  const principalId = data.principalId as PrincipalId;
  return names.flatMap((name) => putRow<AuthorityRow>({ principalId, kind, name, grantedAt: event.occurredAt, ...at }));
};

const withdrawn = ({ data, at }: RecordedEvent<PrincipalEvent>, kind: Kind, names: readonly string[]) => {
  const key = { tenantId: at.tenantId, principalId: data.principalId as PrincipalId, kind };
  return names.flatMap((name) => removeRow<AuthorityRow>({ ...key, name }));
};

export const authoritiesProjection = projection(authoritiesView, [
  streamsOf(principals, {
    ignored: [
      'PrincipalSuspended',
      'PrincipalReactivated',
      'PrincipalMarkedCompromised',
      'PrincipalRecovered',
      'SecurityEpochBumped',
      'CredentialIssued',
      'CredentialRevoked',
      'ServiceClientAuthorized',
      'TrustRuleAuthorized',
    ],
    // The first admin is an administrator from registration, without an event.
    PrincipalRegistered: (recorded) =>
      recorded.data.principalId === firstAdmin ? granted(recorded, 'role', ['admin']) : [],
    RolesGranted: (recorded) => granted(recorded, 'role', recorded.data.roles),
    AdministratorRecovered: (recorded) => granted(recorded, 'role', ['admin']),
    RolesWithdrawn: (recorded) => withdrawn(recorded, 'role', recorded.data.roles),
    ScopesGranted: (recorded) => granted(recorded, 'scope', recorded.data.scopes),
    ScopesWithdrawn: (recorded) => withdrawn(recorded, 'scope', recorded.data.scopes),
  }),
]);
