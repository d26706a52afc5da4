/** GET /v1/principals/:principalId/authenticators: a person's authenticators, for administrators who remove lost ones. */
import { record } from '../../domain/kernel/codec';
import {
  AuthenticatorKind,
  AuthenticatorRow,
  authenticatorsView,
} from '../../projections/identity/authenticators/view';
import { definedFields } from '../kernel/defined-fields';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { PrincipalParams, principalScopes } from './principals';

const Authenticator = record('Authenticator', answerFields(AuthenticatorRow, 'principalId'));

export const listAuthenticators = pageRoute({
  path: '/v1/principals/:principalId/authenticators',
  operation: 'listAuthenticators',
  summary: 'List the authenticators of a person, oldest first',
  scopes: principalScopes,
  params: PrincipalParams,
  item: Authenticator,
  view: authenticatorsView,
  filters: { kind: AuthenticatorKind },
  order: [
    { field: 'addedAt', direction: 'asc' },
    { field: 'kind', direction: 'asc' },
    { field: 'authenticatorId', direction: 'asc' },
  ],
  rows: ({ principalId }, { kind }) => ({ where: { principalId, ...definedFields({ kind }) } }),
  show: toResponseOf(Authenticator),
});
