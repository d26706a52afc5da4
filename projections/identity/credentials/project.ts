import { clients } from '../../../domain/identity/client/events';
import type { CredentialId } from '../../../domain/identity/ids';
import { principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type CredentialRow, credentialsView } from './view';

type Owner = Pick<CredentialRow, 'owner'> & { readonly ownerId: string };
type Issued = Pick<CredentialRow, 'credentialId' | 'createdAt' | 'expiresAt'>;

const issued = (
  { data, at }: RecordedEvent<DomainEvent<string, Issued>>,
  owner: Owner,
  scopes: CredentialRow['scopes'],
) => {
  const { credentialId, createdAt, expiresAt } = data;
  const { ownerId, ...named } = owner;
  const open = { revokedAt: null, reason: null };
  return putRow<CredentialRow>({
    ...named,
    ownerId: ownerId as CredentialRow['ownerId'],
    credentialId,
    scopes,
    createdAt,
    expiresAt,
    ...open,
    ...at,
  });
};

interface Revoked {
  readonly credentialId: CredentialId;
  readonly reason: string;
}

const revoked = ({ data, at, event }: RecordedEvent<DomainEvent<string, Revoked>>, { owner, ownerId }: Owner) => {
  const key = { tenantId: at.tenantId, owner, ownerId: ownerId as CredentialRow['ownerId'] };
  const fields = { revokedAt: event.occurredAt as Instant, reason: data.reason, revision: at.revision };
  return patchRow<CredentialRow>({ ...key, credentialId: data.credentialId }, fields);
};

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
    ],
    CredentialIssued: (recorded) => issued(recorded, ofPrincipal(recorded.data.principalId), recorded.data.scopes),
    CredentialRevoked: (recorded) => revoked(recorded, ofPrincipal(recorded.data.principalId)),
  }),
  streamsOf(clients, {
    ignored: [
      'ClientRegistered',
      'ClientRegisteredItself',
      'ClientChanged',
      'ClientGrantsVoided',
      'ClientDisabled',
      'ClientEnabled',
    ],
    ClientSecretIssued: (recorded) => issued(recorded, ofClient(recorded.data.applicationId), null),
    ClientSecretRevoked: (recorded) => revoked(recorded, ofClient(recorded.data.applicationId)),
  }),
]);
