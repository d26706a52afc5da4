/** GET credentials of a principal, or secrets of a client. */
import { record } from '../../domain/kernel/codec';
import { CredentialRow, credentialsView } from '../../projections/identity/credentials/view';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { ClientParams, clientScopes } from './clients';
import { PrincipalParams, principalScopes } from './principals';
import { EndReason, Scopes } from './wire';

const fields = { ...answerFields(CredentialRow, 'owner', 'ownerId'), reason: EndReason };
const Credential = record('Credential', { ...fields, scopes: Scopes });

const { scopes: _scopes, ...fieldsOfSecret } = fields;
const ClientSecret = record('KnownClientSecret', fieldsOfSecret);

const toCredentialResponse = toResponseOf(Credential);

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'credentialId', direction: 'desc' },
] as const;

const ofOwner = (owner: CredentialRow['owner'], ownerId: string) => ({ where: { owner, ownerId } });

export const listCredentials = pageRoute({
  path: '/v1/principals/:principalId/credentials',
  operation: 'listCredentials',
  summary: 'List the credentials of a principal, newest first, with revoked ones',
  scopes: principalScopes,
  params: PrincipalParams,
  item: Credential,
  view: credentialsView,
  filters: {},
  order,
  rows: ({ principalId }) => ofOwner('principal', principalId),
  show: (row) => toCredentialResponse({ ...row, scopes: row.scopes ?? [] }),
});

export const listClientSecrets = pageRoute({
  path: '/v1/clients/:applicationId/secrets',
  operation: 'listClientSecrets',
  summary: 'List the secrets of a client, newest first, with revoked ones',
  scopes: clientScopes,
  params: ClientParams,
  item: ClientSecret,
  view: credentialsView,
  filters: {},
  order,
  rows: ({ applicationId }) => ofOwner('client', applicationId),
  show: toResponseOf(ClientSecret),
});
