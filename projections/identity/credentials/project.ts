import { clients } from '../../../domain/identity/client/events';
import type { CredentialId } from '../../../domain/identity/ids';
import { principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { on, patch, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type CredentialRow, credentialsView } from './view';

type Owner = Pick<CredentialRow, 'owner'> & { readonly ownerId: string };
type Issued = Pick<CredentialRow, 'credentialId' | 'createdAt' | 'expiresAt'>;

const issued = ({ data, at }: Recorded<DomainEvent<string, Issued>>, owner: Owner, scopes: CredentialRow['scopes']) => {
  const { credentialId, createdAt, expiresAt } = data;
  const { ownerId, ...named } = owner;
  const open = { revokedAt: null, reason: null };
  return put<CredentialRow>({
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

const revoked = ({ data, at, event }: Recorded<DomainEvent<string, Revoked>>, { owner, ownerId }: Owner) => {
  const key = { tenantId: at.tenantId, owner, ownerId: ownerId as CredentialRow['ownerId'] };
  const fields = { revokedAt: event.occurredAt as Instant, reason: data.reason, revision: at.revision };
  return patch<CredentialRow>({ ...key, credentialId: data.credentialId }, fields);
};

const ofPrincipal = (ownerId: string): Owner => ({ owner: 'principal', ownerId });
const ofClient = (ownerId: string): Owner => ({ owner: 'client', ownerId });

export const credentialsProjection = projection(credentialsView, [
  on(principals, 'principal', {
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
    ],
    CredentialIssued: (recorded) => issued(recorded, ofPrincipal(recorded.data.principalId), recorded.data.scopes),
    CredentialRevoked: (recorded) => revoked(recorded, ofPrincipal(recorded.data.principalId)),
  }),
  on(clients, 'client', {
    ignored: ['ClientRegistered', 'ClientChanged', 'ClientDisabled', 'ClientEnabled'],
    ClientSecretIssued: (recorded) => issued(recorded, ofClient(recorded.data.applicationId), null),
    ClientSecretRevoked: (recorded) => revoked(recorded, ofClient(recorded.data.applicationId)),
  }),
]);
