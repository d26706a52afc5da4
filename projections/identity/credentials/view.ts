/** Credentials of principals and secrets of clients, without hashes: purpose, creator and last use. */
import type { TypeOf } from 'io-ts';
import { CredentialId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Scopes } from '../../../domain/identity/scopes';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { idOf, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** As long as ciphertext of the longest label is. */
const SealedLabel = text('SealedLabel', { maxLength: 1_200 });

export const CredentialRow = record('CredentialRow', {
  tenantId: TenantId,
  owner: oneOf('CredentialOwner', ['principal', 'client']),
  /** Principal or application id; the two may coincide. */
  ownerId: idOf('OwnerId'),
  credentialId: CredentialId,
  /** Null: none, a secret's, or erased. */
  label: nullable(SealedLabel),
  /** Null for secrets, which have the client's scopes. */
  scopes: nullable(Scopes),
  createdAt: Instant,
  /** A principal, or a part of the system. */
  createdBy: text('CredentialActor', { maxLength: 256 }),
  expiresAt: nullable(Instant),
  /** When it last got a token, to the minute. Null: never, or a secret, which tokens do not name. */
  lastUsedAt: nullable(Instant),
  revokedAt: nullable(Instant),
  reason: nullable(Reason),
  revision: integer(0),
});
export type CredentialRow = TypeOf<typeof CredentialRow>;

export const credentialsView: TableView<CredentialRow> = table({
  name: 'identity_credentials',
  version: 2,
  personal: true,
  sealed: { encrypted: ['label'], digests: [] },
  row: CredentialRow,
  key: ['tenantId', 'owner', 'ownerId', 'credentialId'],
  indexes: [['tenantId', 'owner', 'createdAt', 'credentialId']],
});
