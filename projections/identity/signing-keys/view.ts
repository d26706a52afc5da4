/** Signing keys with their status, stored under the platform tenant. */
import type { TypeOf } from 'io-ts';
import { KeyId, platformTenant } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { SigningAlgorithm } from '../../../domain/identity/signing-keys/events';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const KeyState = oneOf('KeyState', ['CREATED', 'PUBLISHED', 'ACTIVE', 'RETIRED', 'REVOKED']);

export const SigningKeyRow = record('SigningKeyRow', {
  tenantId: TenantId,
  kid: KeyId,
  algorithm: SigningAlgorithm,
  keystore: text('Keystore', { examples: ['local'], maxLength: 64 }),
  state: KeyState,
  createdAt: Instant,
  publishedAt: nullable(Instant),
  activatedAt: nullable(Instant),
  retiredAt: nullable(Instant),
  revokedAt: nullable(Instant),
  reason: nullable(Reason),
  revision: integer(0),
});
export type SigningKeyRow = TypeOf<typeof SigningKeyRow>;

export const signingKeysView: TableView<SigningKeyRow> = table({
  name: 'identity_signing_keys',
  version: 1,
  row: SigningKeyRow,
  key: ['tenantId', 'kid'],
});

/** Tenant of the rows. */
export const keysTenant: string = platformTenant;
