/** GET /v1/apis and the tools of each: what tokens are issued for, and what agents may use. */
import { record } from '../../domain/kernel/codec';
import { ApiToolRow, apiToolsView } from '../../projections/identity/api-tools/view';
import { ProtectedApiRow, protectedApisView } from '../../projections/identity/protected-apis/view';
import { definedFields } from '../kernel/defined-fields';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import * as wire from './wire';

const scopes = ['apis:read'];

const apiFields = answerFields(ProtectedApiRow);
const KnownApi = record('KnownApi', { ...apiFields, reason: wire.EndReason });
const showApi = toResponseOf(KnownApi);

export const listApis = pageRoute({
  path: '/v1/apis',
  operation: 'listApis',
  summary: 'List the APIs that tokens are issued for, newest first',
  scopes,
  params: record('NoParams', {}),
  item: KnownApi,
  view: protectedApisView,
  filters: { status: apiFields.status },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'apiId', direction: 'desc' },
  ],
  rows: (_params, { status }) => ({ where: definedFields({ status }) }),
  show: showApi,
});

const KnownApiPath = record('KnownApiPath', { apiId: apiFields.apiId });

export const getApi = oneRoute({
  path: '/v1/apis/:apiId',
  operation: 'getApi',
  summary: 'Get an API that tokens are issued for',
  scopes,
  params: KnownApiPath,
  item: KnownApi,
  query: (key) => ({ view: protectedApisView, key, missing: 'There is no such API.', show: showApi }),
});

const toolFields = answerFields(ApiToolRow);
const KnownApiTool = record('KnownApiTool', {
  ...toolFields,
  requiredScopes: wire.Scopes,
  agentScopes: wire.Scopes,
});

export const listApiTools = pageRoute({
  path: '/v1/apis/:apiId/tools',
  operation: 'listApiTools',
  summary: 'List the tools of an API, by name',
  scopes,
  params: KnownApiPath,
  item: KnownApiTool,
  view: apiToolsView,
  filters: { status: toolFields.status },
  order: [{ field: 'tool', direction: 'asc' }],
  rows: ({ apiId }, { status }) => ({ where: definedFields({ apiId, status }) }),
  show: toResponseOf(KnownApiTool),
});
