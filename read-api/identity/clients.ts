/** GET /v1/clients and /v1/clients/:applicationId, without secrets. */
import { record, text } from '../../domain/kernel/codec';
import { ClientRow, clientsView } from '../../projections/identity/clients/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { searched } from '../platform/schemas';

export const clientScopes = ['clients:read'];

const { applicationId, ...fields } = answerFields(ClientRow, 'plainName');
export const ClientParams = record('ClientParams', { applicationId });
const Client = record('Client', {
  applicationId,
  /** client_id at the token endpoint. */
  clientId: text('FullClientId', { maxLength: 192, examples: ['acme~7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'] }),
  ...fields,
});

const toResponse = toResponseOf(Client);
const show = (row: ClientRow) => toResponse({ ...row, clientId: `${row.tenantId}~${row.applicationId}` });

export const listClients = pageRoute({
  path: '/v1/clients',
  operation: 'listClients',
  summary: 'List clients, newest first',
  scopes: clientScopes,
  params: record('NoParams', {}),
  item: Client,
  view: clientsView,
  filters: {
    status: fields.status,
    applicationIds: IdList,
    search: searched('ClientsSearch', {
      maxLength: 120,
      description: 'A part of the name. Case is ignored.',
      examples: ['billing'],
    }),
  },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'applicationId', direction: 'desc' },
  ],
  rows: (_params, { status, applicationIds, search }) => ({
    where: definedFields({ status, applicationId: idsIn(applicationIds) }),
    ...(search === undefined ? {} : { contains: { field: 'plainName' as const, text: search.toLowerCase() } }),
  }),
  show,
});

export const getClient = oneRoute({
  path: '/v1/clients/:applicationId',
  operation: 'getClient',
  summary: 'Get a client',
  scopes: clientScopes,
  params: ClientParams,
  item: Client,
  query: (key) => ({
    view: clientsView,
    key,
    missing: 'No such client is registered here. Those that are built in are not recorded.',
    show,
  }),
});
