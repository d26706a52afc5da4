/** Credentials of principals and secrets of clients, without hashes. */
import type { TypeOf } from 'io-ts';
import { CredentialId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Scopes } from '../../../domain/identity/scopes';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { idOf, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const CredentialRow = record('CredentialRow', {
  tenantId: TenantId,
  owner: oneOf('CredentialOwner', ['principal', 'client']),
  /** Principal or application id; the two may coincide. */
  ownerId: idOf('OwnerId'),
  credentialId: CredentialId,
  /** Null for secrets, which have the client's scopes. */
  scopes: nullable(Scopes),
  createdAt: Instant,
  expiresAt: nullable(Instant),
  revokedAt: nullable(Instant),
  reason: nullable(Reason),
  revision: integer(0),
});
export type CredentialRow = TypeOf<typeof CredentialRow>;

export const credentialsView: TableView<CredentialRow> = table({
  name: 'identity_credentials',
  version: 1,
  row: CredentialRow,
  key: ['tenantId', 'owner', 'ownerId', 'credentialId'],
});
