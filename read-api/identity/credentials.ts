/** GET credentials of the tenant or of a principal, and secrets of a client. */
import { fieldsOf, nullable, record, text } from '../../domain/kernel/codec';
import type { PrincipalId } from '../../domain/kernel/ids';
import { CredentialRow, credentialsView } from '../../projections/identity/credentials/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { ClientParams, clientScopes } from './clients';
import { PrincipalParams, principalScopes } from './principals';
import { EndReason, Scopes } from './wire';

const fields = { ...answerFields(CredentialRow, 'owner', 'ownerId'), reason: EndReason };
const { credentialId, ...otherFields } = fields;
const Credential = record('Credential', {
  credentialId,
  ...fieldsOf(PrincipalParams),
  ...otherFields,
  label: nullable(
    text('KnownCredentialLabel', {
      maxLength: 120,
      description: 'What it is for. Null: none, or erased.',
      examples: ['Laptop of the build team'],
    }),
  ),
  scopes: Scopes,
});

const { scopes: _scopes, label: _label, lastUsedAt: _lastUsedAt, ...fieldsOfSecret } = fields;
const ClientSecret = record('KnownClientSecret', fieldsOfSecret);

const toResponse = toResponseOf(Credential);
const toCredentialResponse = ({ ownerId, ...row }: CredentialRow) =>
  toResponse({ ...row, principalId: ownerId as unknown as PrincipalId, scopes: row.scopes ?? [] });

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'credentialId', direction: 'desc' },
] as const;

const ofOwner = (owner: CredentialRow['owner'], ownerId: string) => ({ where: { owner, ownerId } });

export const listAllCredentials = pageRoute({
  path: '/v1/credentials',
  operation: 'listAllCredentials',
  summary: 'List the credentials of all principals, newest first, with revoked ones',
  description:
    '`credentialId` finds the credential of a program by the id that it was issued with. `lastUsedAt` is when it last got a token, to the minute.',
  scopes: principalScopes,
  params: record('NoParams', {}),
  item: Credential,
  view: credentialsView,
  filters: { credentialId, credentialIds: IdList, principalIds: IdList },
  order,
  rows: (_params, { credentialId: wanted, credentialIds, principalIds }) => ({
    where: {
      owner: 'principal',
      ...definedFields({ credentialId: wanted ?? idsIn(credentialIds), ownerId: idsIn(principalIds) }),
    },
  }),
  show: toCredentialResponse,
});

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
  show: toCredentialResponse,
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
