/** GET /v1/principals, /v1/principals/:principalId and its authority. */
import * as t from 'io-ts';
import { fieldsOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { AuthorityKind, AuthorityRow, authoritiesView } from '../../projections/identity/authorities/view';
import { PrincipalRow, principalsView, queryTerms, roleColumns } from '../../projections/identity/principals/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
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
  name: nullable(
    text('PrincipalName', {
      maxLength: 120,
      description: "A person's name, or the label of a pipeline or an agent. Null: none, or erased.",
    }),
  ),
  login: nullable(text('PrincipalLogin', { maxLength: 200, description: 'Of people only.' })),
  roles: t.array(Role, 'PrincipalRoles'),
});

const rolesOf = (row: PrincipalRow) => roles.filter((role) => row[roleColumns[role]]);

const toResponse = toResponseOf(Principal);
const show = (row: PrincipalRow) => toResponse({ ...row, roles: rolesOf(row) });

/** A text without letters and digits finds nothing. */
const wantedTerms = (q: string): readonly string[] => {
  const terms = queryTerms(q);
  return terms.length === 0 ? [''] : terms;
};

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
    // Names are of another stream than the revision.
    isTagged: ({ name, login }: PrincipalRow) => name === null && login === null,
  }),
});

export const listPrincipals = pageRoute({
  path: '/v1/principals',
  operation: 'listPrincipals',
  summary: 'List principals, newest first',
  description:
    'Names are encrypted in the view and found by keyed digests. Of a principal whose name cannot be opened, `name` and `login` are null.',
  scopes: principalScopes,
  params: record('NoParams', {}),
  item: Principal,
  view: principalsView,
  filters: {
    principalType,
    status,
    role: Role,
    q: text('PrincipalSearch', {
      content: 'any',
      maxLength: 200,
      description:
        'Words of name, login or id, or beginnings of such words (of two letters or more; ids: four). All must be there. Case, width and diacritics are ignored.',
      examples: ['ada love'],
    }),
    principalIds: IdList,
  },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'principalId', direction: 'desc' },
  ],
  rows: (_params, { principalType, status, role, q, principalIds }) => ({
    where: {
      ...definedFields({ principalType, status, principalId: idsIn(principalIds) }),
      ...(role === undefined ? {} : { [roleColumns[role]]: true }),
    },
    ...(q === undefined ? {} : { all: { field: 'terms' as const, values: wantedTerms(q) } }),
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
