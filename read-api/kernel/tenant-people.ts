/** Names and ids of the tenant's principals, for callers that share something with them and may not read principals. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { rolesWith } from '../../domain/identity/scopes';
import { fieldsOf, nullable, record, text } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import type { Fault } from '../../domain/kernel/rejection';
import { commonProblems, invalidInput, problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { authoritiesView } from '../../projections/identity/authorities/view';
import { PrincipalRow, principalsView, queryTerms } from '../../projections/identity/principals/view';
import { IdList, idsIn } from './id-list';
import type { QueryDeps } from './row-queries';

const { principalId, principalType } = fieldsOf(PrincipalRow);

const TenantPerson = record('TenantPerson', {
  principalId,
  principalType,
  name: nullable(
    text('TenantPersonName', { maxLength: 120, description: 'A name, or the label of a program. Null: none.' }),
  ),
  /** Whether something can be shared with it: it is neither suspended nor compromised. */
  isActive: t.boolean,
  /** Whether it has the scope to read what is shared; without it, sharing has no effect. */
  mayRead: t.boolean,
});

/** Enough to choose from; who is not among them is found by more of the name. */
const maxFound = 20;

type Person = t.TypeOf<typeof TenantPerson>;

/** By the rows of its own scopes and roles. */
const showAll = async (
  { views }: Pick<QueryDeps, 'views'>,
  { tenant, readScope }: { readonly tenant: TenantId; readonly readScope: string },
  rows: readonly PrincipalRow[],
): Promise<Either<Fault, readonly Person[]>> => {
  if (rows.length === 0) return right([]);
  const authorities = [
    { kind: 'scope' as const, name: readScope },
    ...rolesWith(readScope).map((name) => ({ kind: 'role' as const, name })),
  ];
  const keys = rows.flatMap(({ principalId }) => authorities.map((authority) => ({ principalId, ...authority })));
  const held = await views.findMany(authoritiesView, tenant, keys);
  if (isLeft(held)) return held;
  const readers = new Set(held.right.flatMap((row) => (row === undefined ? [] : [row.principalId])));
  return right(
    rows.map(({ principalId, principalType, name, status }) => ({
      ...{ principalId, principalType, name },
      isActive: status === 'ACTIVE',
      mayRead: readers.has(principalId),
    })),
  );
};

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'principalId', direction: 'desc' },
] as const;

interface PeopleRoute {
  readonly path: string;
  readonly operation: string;
  readonly scopes: readonly string[];
  /** What is shared: `files`. */
  readonly shared: string;
  readonly readScope: string;
}

const people = record('TenantPeople', {
  items: t.array(TenantPerson),
  /** More are found by `q` than are listed. */
  isCut: t.boolean,
});

const PeopleQuery = record(
  'TenantPeopleQuery',
  {},
  {
    q: text('TenantPeopleSearch', {
      content: 'any',
      maxLength: 200,
      description:
        'Words of the name or login, or beginnings of such words, of two letters or more. All must be there.',
      examples: ['ada love'],
    }),
    principalIds: IdList,
  },
);

export const tenantPeopleRoute = <Reading extends Pick<QueryDeps, 'views'>>({
  path,
  operation,
  scopes,
  shared,
  readScope,
}: PeopleRoute) =>
  route<Reading>()({
    method: 'get',
    path,
    operation,
    summary: `Find principals of the tenant to share ${shared} with, and get their names`,
    description: `\`q\` finds active ones by name, ${maxFound} at most, without the caller’s having to read principals; \`principalIds\` gets those with these ids, also inactive ones, and leaves ids of no principal out. One of the two is given. Logins and roles are not in it; \`mayRead\` says whether it has \`${readScope}\`.`,
    access: { scopes },
    query: PeopleQuery,
    answers: { 200: { description: 'Those that are known.', body: people } },
    problems: { 'view-store-unavailable': commonProblems['view-store-unavailable'] },
    handle: async (reading, { identity: { tenantId: tenant }, query: { q, principalIds } }) => {
      const { views } = reading;
      if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
      const ids = idsIn(principalIds);
      if ((q === undefined) === (ids === undefined))
        return invalidInput([{ pointer: '/query/q', expected: 'given, or principalIds, and not both' }]);
      if (ids !== undefined) {
        const keys = ids.map((id) => ({ principalId: id as PrincipalRow['principalId'] }));
        const rows = await views.findMany(principalsView, tenant, keys);
        if (isLeft(rows)) return problemOf(rows.left, {});
        const known = rows.right.filter((row) => row !== undefined);
        const items = await showAll(reading, { tenant, readScope }, known);
        return isLeft(items) ? problemOf(items.left, {}) : { status: 200, body: { items: items.right, isCut: false } };
      }
      const terms = queryTerms(q ?? '');
      // A text without letters and digits finds nothing.
      if (terms.length === 0) return { status: 200, body: { items: [], isCut: false } };
      const rows = await views.page(principalsView, tenant, {
        where: { status: 'ACTIVE' },
        all: { field: 'terms', values: terms },
        order,
        limit: maxFound + 1,
      });
      if (isLeft(rows)) return problemOf(rows.left, {});
      const items = await showAll(reading, { tenant, readScope }, rows.right.slice(0, maxFound));
      if (isLeft(items)) return problemOf(items.left, {});
      return { status: 200, body: { items: items.right, isCut: rows.right.length > maxFound } };
    },
  });
