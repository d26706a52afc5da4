/** Tools of registered APIs, with what agents may use through each. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { ApiId, PrincipalType } from '../../../domain/identity/ids';
import { ToolName } from '../../../domain/identity/protected-api/events';
import { Scopes } from '../../../domain/identity/scopes';
import { Instant, integer, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';
import { ApiStatus } from '../protected-apis/view';

export const ApiToolRow = record('ApiToolRow', {
  tenantId: TenantId,
  apiId: ApiId,
  tool: ToolName,
  description: text('KnownToolDescription', { maxLength: 256, examples: ['Closes a ticket'] }),
  requiredScopes: Scopes,
  agentScopes: Scopes,
  stepUp: t.boolean,
  principalTypes: t.array(PrincipalType, 'KnownToolPrincipalTypes'),
  status: ApiStatus,
  setAt: Instant,
  revision: integer(0),
});
export type ApiToolRow = TypeOf<typeof ApiToolRow>;

export const apiToolsView: TableView<ApiToolRow> = table({
  name: 'identity_api_tools',
  version: 1,
  row: ApiToolRow,
  key: ['tenantId', 'apiId', 'tool'],
});
