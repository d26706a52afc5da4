/** Roles and additional scopes of principals, one row each. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const AuthorityKind = oneOf('AuthorityKind', ['role', 'scope']);

export const AuthorityRow = record('AuthorityRow', {
  tenantId: TenantId,
  principalId: PrincipalId,
  kind: AuthorityKind,
  name: text('AuthorityName', { examples: ['principals:read'], maxLength: 64 }),
  grantedAt: Instant,
  revision: integer(0),
});
export type AuthorityRow = TypeOf<typeof AuthorityRow>;

export const authoritiesView: TableView<AuthorityRow> = table({
  name: 'identity_authorities',
  version: 1,
  row: AuthorityRow,
  key: ['tenantId', 'principalId', 'kind', 'name'],
});
