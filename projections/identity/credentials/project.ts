import { authenticators } from '../../../domain/identity/authenticators/events';
import { clients } from '../../../domain/identity/client/events';
import type { CredentialId } from '../../../domain/identity/ids';
import { issuance } from '../../../domain/identity/issuance/events';
import { principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { isForgotten } from '../../../domain/kernel/secret';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type CredentialRow, credentialsView } from './view';

type Owner = Pick<CredentialRow, 'owner'> & { readonly ownerId: string };
type Issued = Pick<CredentialRow, 'credentialId' | 'createdAt' | 'expiresAt'>;

const issued = (
  { data, at, event }: RecordedEvent<DomainEvent<string, Issued>>,
  owner: Owner,
  scopes: CredentialRow['scopes'],
) => {
  const { credentialId, createdAt, expiresAt } = data;
  const { ownerId, ...named } = owner;
  const open = { label: null, lastUsedAt: null, revokedAt: null, reason: null };
  return putRow<CredentialRow>({
    ...named,
    ownerId: ownerId as CredentialRow['ownerId'],
    credentialId,
    scopes,
    createdAt,
    createdBy: event.actor,
    expiresAt,
    ...open,
    ...at,
  });
};

type Key = Pick<CredentialRow, 'tenantId' | 'owner' | 'ownerId' | 'credentialId'>;

const keyOf = ({ ownerId, ...key }: Omit<Key, 'ownerId'> & { readonly ownerId: string }): Key => ({
  ...key,
  ownerId: ownerId as CredentialRow['ownerId'],
});

interface Revoked {
  readonly credentialId: CredentialId;
  readonly reason: string;
}

const revoked = ({ data, at, event }: RecordedEvent<DomainEvent<string, Revoked>>, { owner, ownerId }: Owner) => {
  const key = keyOf({ tenantId: at.tenantId, owner, ownerId, credentialId: data.credentialId });
  return patchRow<CredentialRow>(key, { revokedAt: event.occurredAt, reason: data.reason, revision: at.revision });
};

/** Coarse, so that tokens of one minute change the row once. */
const minuteOf = (instant: Instant): Instant => `${instant.slice(0, 16)}:00.000Z` as Instant;

const ofPrincipal = (ownerId: string): Owner => ({ owner: 'principal', ownerId });
const ofClient = (ownerId: string): Owner => ({ owner: 'client', ownerId });

export const credentialsProjection = projection(credentialsView, [
  streamsOf(principals, {
    ignored: [
      'PrincipalRegistered',
      'PrincipalSuspended',
      'PrincipalReactivated',
      'PrincipalMarkedCompromised',
      'PrincipalRecovered',
      'AdministratorRecovered',
      'SecurityEpochBumped',
      'RolesGranted',
      'RolesWithdrawn',
      'ScopesGranted',
      'ScopesWithdrawn',
      'ServiceClientAuthorized',
      'TrustRuleAuthorized',
    ],
    CredentialIssued: (recorded) => issued(recorded, ofPrincipal(recorded.data.principalId), recorded.data.scopes),
    CredentialRevoked: (recorded) => revoked(recorded, ofPrincipal(recorded.data.principalId)),
  }),
  streamsOf(clients, {
    ignored: [
      'ClientRegistered',
      'ClientRegisteredItself',
      'ClientChanged',
      'ClientLoosened',
      'ClientGrantsVoided',
      'ClientDisabled',
      'ClientEnabled',
    ],
    ClientSecretIssued: (recorded) => issued(recorded, ofClient(recorded.data.applicationId), null),
    ClientSecretRevoked: (recorded) => revoked(recorded, ofClient(recorded.data.applicationId)),
  }),
  // The revision stays: it is of the principal's own stream.
  streamsOf(authenticators, {
    ignored: [
      'ProfileSet',
      'PrincipalLabelled',
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
    CredentialLabelled: ({ data: { principalId, credentialId, label }, at: { tenantId } }) =>
      patchRow<CredentialRow>(keyOf({ tenantId, ...ofPrincipal(principalId), credentialId }), {
        label: isForgotten(label) ? null : label,
      }),
  }),
  streamsOf(issuance, {
    TokenIssued: ({ data: { principalId, credentialId, issuedAt }, at: { tenantId } }) =>
      credentialId === null
        ? []
        : patchRow<CredentialRow>(keyOf({ tenantId, ...ofPrincipal(principalId), credentialId }), {
            lastUsedAt: minuteOf(issuedAt),
          }),
  }),
]);
