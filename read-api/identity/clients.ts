/** GET /v1/clients and one of them: the applications that ask for tokens. Of their secrets only that they are there. */
import { Instant, record, text } from '../../domain/kernel/codec';
import { type ClientRow, ClientStatus, clientMetadata, clientsView } from '../../projections/identity/clients/view';
import { given } from '../kernel/given';
import { oneRoute, pageRoute } from '../kernel/route';
import { ApplicationId } from './wire';

export const clientScopes = ['clients:read'];
export const ClientParams = record('ClientParams', { applicationId: ApplicationId });

const Client = record('Client', {
  applicationId: ApplicationId,
  /** As it names itself when it asks for tokens. */
  clientId: text('FullClientId', { maxLength: 192, examples: ['acme~7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'] }),
  status: ClientStatus,
  createdAt: Instant,
  ...clientMetadata,
});

const show = ({ tenantId, applicationId, revision: _revision, ...shown }: ClientRow) => ({
  applicationId,
  clientId: `${tenantId}~${applicationId}`,
  ...shown,
});

export const listClients = pageRoute({
  path: '/v1/clients',
  operation: 'listClients',
  summary: 'Clients of the tenant, the newest first.',
  scopes: clientScopes,
  params: record('NoParams', {}),
  item: Client,
  view: clientsView,
  filters: { status: ClientStatus },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'applicationId', direction: 'desc' },
  ],
  rows: (_params, { status }) => ({ where: given({ status }) }),
  show,
});

export const getClient = oneRoute({
  path: '/v1/clients/:applicationId',
  operation: 'getClient',
  summary: 'One client.',
  scopes: clientScopes,
  params: ClientParams,
  item: Client,
  query: ({ applicationId }) => ({
    view: clientsView,
    key: { applicationId: applicationId as ClientRow['applicationId'] },
    missing: 'No such client is registered here. Those that are built in are not recorded.',
    show,
  }),
});
