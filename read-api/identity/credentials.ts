/** Credentials of a principal, and secrets of a client: which there are, and until when they hold. */
import { Instant, nullable, record } from '../../domain/kernel/codec';
import { type CredentialRow, credentialsView } from '../../projections/identity/credentials/view';
import { pageRoute } from '../kernel/route';
import { ClientParams, clientScopes } from './clients';
import { PrincipalParams, principalScopes } from './principals';
import { CredentialId, EndReason, Scopes } from './wire';

const life = { createdAt: Instant, expiresAt: nullable(Instant), revokedAt: nullable(Instant), reason: EndReason };

const lifeOf = ({ createdAt, expiresAt, revokedAt, reason }: CredentialRow) => ({
  createdAt,
  expiresAt,
  revokedAt,
  reason,
});

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'credentialId', direction: 'desc' },
] as const;

const ofOwner = (owner: CredentialRow['owner'], ownerId: string) => ({ where: { owner, ownerId } });

export const listCredentials = pageRoute({
  path: '/v1/principals/:principalId/credentials',
  operation: 'listCredentials',
  summary: 'Credentials of one principal, the newest first, revoked ones included.',
  scopes: principalScopes,
  params: PrincipalParams,
  item: record('Credential', { credentialId: CredentialId, scopes: Scopes, ...life }),
  view: credentialsView,
  filters: {},
  order,
  rows: ({ principalId }) => ofOwner('principal', principalId),
  show: (row) => ({ credentialId: row.credentialId, scopes: row.scopes ?? [], ...lifeOf(row) }),
});

export const listClientSecrets = pageRoute({
  path: '/v1/clients/:applicationId/secrets',
  operation: 'listClientSecrets',
  summary: 'Secrets of one client, the newest first, revoked ones included.',
  scopes: clientScopes,
  params: ClientParams,
  item: record('KnownClientSecret', { credentialId: CredentialId, ...life }),
  view: credentialsView,
  filters: {},
  order,
  rows: ({ applicationId }) => ofOwner('client', applicationId),
  show: (row) => ({ credentialId: row.credentialId, ...lifeOf(row) }),
});
