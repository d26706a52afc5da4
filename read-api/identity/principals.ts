/** GET /v1/principals, /v1/principals/:principalId and its authority. */
import * as t from 'io-ts';
import { fieldsOf, oneOf, record } from '../../domain/kernel/codec';
import { AuthorityKind, AuthorityRow, authoritiesView } from '../../projections/identity/authorities/view';
import { PrincipalRow, principalsView, roleColumns } from '../../projections/identity/principals/view';
import { definedFields } from '../kernel/defined-fields';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';

const { principalId, principalType, tenantId, status, securityEpoch, createdAt } = fieldsOf(PrincipalRow);

export const PrincipalParams = record('PrincipalParams', { principalId });
export const principalScopes = ['principals:read'];

const roles = ['admin', 'auditor'] as const;
const Role = oneOf('PrincipalRole', roles);

const Principal = record('Principal', {
  principalId,
  principalType,
  tenantId,
  status,
  securityEpoch,
  createdAt,
  roles: t.array(Role, 'PrincipalRoles'),
});

const rolesOf = (row: PrincipalRow) => roles.filter((role) => row[roleColumns[role]]);

const toResponse = toResponseOf(Principal);
const show = (row: PrincipalRow) => toResponse({ ...row, roles: rolesOf(row) });

export const getPrincipal = oneRoute({
  path: '/v1/principals/:principalId',
  operation: 'getPrincipal',
  summary: 'Get a principal',
  scopes: principalScopes,
  params: PrincipalParams,
  item: Principal,
  query: (key) => ({
    view: principalsView,
    key,
    missing: 'No such principal is known here.',
    show,
  }),
});

export const listPrincipals = pageRoute({
  path: '/v1/principals',
  operation: 'listPrincipals',
  summary: 'List principals, newest first',
  scopes: principalScopes,
  params: record('NoParams', {}),
  item: Principal,
  view: principalsView,
  filters: { principalType, status, role: Role },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'principalId', direction: 'desc' },
  ],
  rows: (_params, { principalType, status, role }) => ({
    where: {
      ...definedFields({ principalType, status }),
      ...(role === undefined ? {} : { [roleColumns[role]]: true }),
    },
  }),
  show,
});

const Authority = record('Authority', answerFields(AuthorityRow, 'principalId'));

export const listAuthority = pageRoute({
  path: '/v1/principals/:principalId/authority',
  operation: 'listAuthority',
  summary: 'Get the roles of a principal, and its scopes beyond them',
  scopes: principalScopes,
  params: PrincipalParams,
  item: Authority,
  view: authoritiesView,
  filters: { kind: AuthorityKind },
  order: [
    { field: 'kind', direction: 'asc' },
    { field: 'name', direction: 'asc' },
  ],
  rows: ({ principalId }, { kind }) => ({ where: { principalId, ...definedFields({ kind }) } }),
  show: toResponseOf(Authority),
});
