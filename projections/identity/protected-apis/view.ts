/** APIs of tenants that tokens are issued for. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { ApiId, Audience } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { apiFields, maxApis } from '../../../domain/identity/protected-api/events';
import { Scope } from '../../../domain/identity/scopes';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** No tenant has more active ones. */
export const activeApisLimit = maxApis;

export const ApiStatus = oneOf('ApiStatus', ['ACTIVE', 'REMOVED']);

const KnownApiScope = record('KnownApiScope', {
  name: Scope,
  description: text('KnownApiScopeDescription', { maxLength: 256, examples: ['See tickets'] }),
});

export const ProtectedApiRow = record('ProtectedApiRow', {
  tenantId: TenantId,
  apiId: ApiId,
  audience: Audience,
  name: apiFields.name,
  scopes: t.array(KnownApiScope, 'KnownApiScopes'),
  status: ApiStatus,
  createdAt: Instant,
  endedAt: nullable(Instant),
  reason: nullable(Reason),
  revision: integer(0),
});
export type ProtectedApiRow = TypeOf<typeof ProtectedApiRow>;

export const protectedApisView: TableView<ProtectedApiRow> = table({
  name: 'identity_protected_apis',
  version: 1,
  row: ProtectedApiRow,
  key: ['tenantId', 'apiId'],
  indexes: [['tenantId', 'createdAt', 'apiId']],
});
