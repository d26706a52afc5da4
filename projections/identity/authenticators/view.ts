/** Authenticators of people: kind and time. Provider subjects and passkey names are not included. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const AuthenticatorKind = oneOf('AuthenticatorKind', ['passkey', 'password', 'totp']);

export const AuthenticatorRow = record('AuthenticatorRow', {
  tenantId: TenantId,
  principalId: PrincipalId,
  kind: AuthenticatorKind,
  /** Passkey id; other kinds exist once and use their kind. */
  authenticatorId: text('AuthenticatorId', { examples: ['gNxE0yWv3nI7oUq2sFJd0g'], maxLength: 1_400 }),
  addedAt: Instant,
  revision: integer(0),
});
export type AuthenticatorRow = TypeOf<typeof AuthenticatorRow>;

export const authenticatorsView: TableView<AuthenticatorRow> = table({
  name: 'identity_authenticators',
  version: 1,
  row: AuthenticatorRow,
  key: ['tenantId', 'principalId', 'kind', 'authenticatorId'],
});
