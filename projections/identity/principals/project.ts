import { type AuthenticatorEvent, authenticators } from '../../../domain/identity/authenticators/events';
import { firstAdmin } from '../../../domain/identity/ids';
import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import type { Role } from '../../../domain/identity/scopes';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { type Forgotten, isForgotten } from '../../../domain/kernel/secret';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { searchTerms } from './search-terms';
import { type PrincipalRow, principalsView, roleColumns } from './view';

/** Every event updates the revision, even without other changes. */
const change = ({ data, at }: RecordedEvent<PrincipalEvent>, fields: Partial<PrincipalRow> = {}) =>
  patchRow<PrincipalRow>(
    { tenantId: at.tenantId, principalId: data.principalId as PrincipalId },
    { ...fields, revision: at.revision },
  );

const withRoles = (recorded: RecordedEvent<PrincipalEvent>, roles: readonly Role[], isGranted: boolean) =>
  change(recorded, Object.fromEntries(roles.map((role) => [roleColumns[role], isGranted])));

interface Names {
  readonly login: string | Forgotten | null;
  readonly name: string | Forgotten | null;
}

const known = (field: string | Forgotten | null): string | null => (isForgotten(field) ? null : field);

/** The revision stays: it is of the principal's own stream. */
const named = ({ data, at }: RecordedEvent<AuthenticatorEvent>, names: Names) => {
  const principalId = data.principalId as PrincipalId;
  const [login, name] = [known(names.login), known(names.name)];
  const fields = { login, name, terms: searchTerms({ principalId, login, name }) };
  return patchRow<PrincipalRow>({ tenantId: at.tenantId, principalId }, fields);
};

export const principalsProjection = projection(principalsView, [
  streamsOf(principals, {
    PrincipalRegistered: ({ data, at }) =>
      putRow<PrincipalRow>({
        principalId: data.principalId,
        principalType: data.principalType,
        status: 'ACTIVE',
        securityEpoch: 1,
        createdAt: data.createdAt,
        // From registration, without an event.
        isAdmin: data.principalId === firstAdmin,
        isAuditor: false,
        login: null,
        name: null,
        terms: searchTerms({ principalId: data.principalId, login: null, name: null }),
        ...at,
      }),
    PrincipalSuspended: (recorded) => change(recorded, { status: 'SUSPENDED' }),
    PrincipalReactivated: (recorded) => change(recorded, { status: 'ACTIVE' }),
    SecurityEpochBumped: (recorded) => change(recorded, { securityEpoch: recorded.data.to }),
    PrincipalMarkedCompromised: (recorded) => change(recorded, { status: 'COMPROMISED' }),
    PrincipalRecovered: (recorded) => change(recorded, { status: 'ACTIVE' }),
    AdministratorRecovered: (recorded) => change(recorded, { status: 'ACTIVE', [roleColumns.admin]: true }),
    RolesGranted: (recorded) => withRoles(recorded, recorded.data.roles, true),
    RolesWithdrawn: (recorded) => withRoles(recorded, recorded.data.roles, false),
    ScopesGranted: (recorded) => change(recorded),
    ScopesWithdrawn: (recorded) => change(recorded),
    CredentialIssued: (recorded) => change(recorded),
    CredentialRevoked: (recorded) => change(recorded),
    ServiceClientAuthorized: (recorded) => change(recorded),
    TrustRuleAuthorized: (recorded) => change(recorded),
  }),
  streamsOf(authenticators, {
    ignored: [
      'CredentialLabelled',
      'EnrolmentIssued',
      'EnrolmentUsed',
      'PasswordSet',
      'PasswordRemoved',
      'TotpEnrolled',
      'TotpRemoved',
      'RecoveryCodesIssued',
      'RecoveryCodeUsed',
      'PasskeyAdded',
      'PasskeyUsed',
      'PasskeyRemoved',
      'UpstreamLinked',
      'UpstreamUnlinked',
    ],
    ProfileSet: (recorded) => named(recorded, { login: recorded.data.login, name: recorded.data.displayName }),
    PrincipalLabelled: (recorded) => named(recorded, { login: null, name: recorded.data.label }),
  }),
]);
