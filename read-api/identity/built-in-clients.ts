/** GET /v1/built-in-clients: the clients that every tenant has without a registration. */
import * as t from 'io-ts';
import { builtInNames } from '../../domain/identity/client/built-in-names';
import { record, text } from '../../domain/kernel/codec';
import { route } from '../../infra/server/http/routing/route';
import { clientScopes } from './clients';
import { ClientId } from './wire';

const BuiltInClient = record('BuiltInClient', {
  applicationId: text('BuiltInApplicationId', { maxLength: 64, examples: ['cli'] }),
  /** client_id at the token endpoint. */
  clientId: ClientId,
  name: text('BuiltInClientName', { maxLength: 120, examples: [builtInNames.cli.name] }),
  purpose: text('BuiltInClientPurpose', { maxLength: 300, examples: [builtInNames.cli.purpose] }),
});
const BuiltInClients = record('BuiltInClients', { items: t.readonlyArray(BuiltInClient) });

export const listBuiltInClients = route<object>()({
  method: 'get',
  path: '/v1/built-in-clients',
  operation: 'listBuiltInClients',
  summary: 'List the clients that every tenant has without a registration',
  access: { scopes: clientScopes },
  answers: { 200: { description: 'All of them; there are few.', body: BuiltInClients } },
  handle: async (_deps, { identity: { tenantId } }) => {
    const items = Object.entries(builtInNames).map(([applicationId, { name, purpose }]) => ({
      applicationId,
      clientId: `${tenantId}~${applicationId}`,
      name,
      purpose,
    }));
    return { status: 200, body: { items } };
  },
});
