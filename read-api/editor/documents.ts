/** GET /v1/documents: the caller's documents. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { Role } from '../../domain/editor/roles';
import { oneOf } from '../../domain/kernel/codec';
import type { PageRequest } from '../../infra/ports/views/view-store';
import { commonProblems, type Problem, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { type DocumentRow, documentsView } from '../../projections/editor/documents/view';
import { documentMembersView } from '../../projections/editor/members/view';
import { defaultLimit, pageAnswers, pageQuery, refuseCursor } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { type QueryDeps, waitDeadline } from '../kernel/row-queries';
import { searched } from '../platform/schemas';
import { scopes } from './access-guard';
import { Document, toDocument } from './document';

const Which = oneOf('WhichDocuments', ['all', 'mine', 'shared', 'trashed']);
const Order = oneOf('DocumentsOrder', ['updated', 'created', 'title']);
const Query = pageQuery('DocumentsQuery', {
  which: Which,
  search: searched('DocumentsSearch', {
    examples: ['landing'],
    maxLength: 200,
    description: 'Text that the title contains, regardless of case.',
  }),
  order: Order,
});
type Query = t.TypeOf<typeof Query>;
type Request = RouteRequest<unknown, Query, unknown>;

/** Above this number, the most recently joined documents are listed. */
const maxDocuments = 10_000;
const pageSize = 1_000;

type Roles = ReadonlyMap<string, Role>;

const rolesOf = async ({ views }: QueryDeps, { identity }: Request): Promise<Either<Problem, Roles>> => {
  const roles = new Map<string, Role>();
  const { principalId } = identity;
  const order = [
    { field: 'joinedAt', direction: 'desc' },
    { field: 'documentId', direction: 'desc' },
  ] as const;
  let after: readonly string[] | undefined;
  while (roles.size < maxDocuments) {
    const request = { where: { principalId }, order, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const rows = await views.page(documentMembersView, identity.tenantId, request);
    if (isLeft(rows)) return left(problemOf(rows.left, {}));
    for (const { documentId, role } of rows.right) roles.set(documentId, role);
    const last = rows.right.at(-1);
    if (last === undefined || rows.right.length < pageSize) break;
    after = [last.joinedAt, last.documentId];
  }
  return right(roles);
};

/** Only owners see documents in the trash. */
const documentIdsFor = (roles: Roles, which: Query['which']): readonly string[] => {
  const isMine = which === 'mine' || which === 'trashed';
  const accepts = (role: Role): boolean => which === undefined || which === 'all' || (role === 'owner') === isMine;
  return [...roles].filter(([, role]) => accepts(role)).map(([documentId]) => documentId);
};

const orders: { readonly [order in t.TypeOf<typeof Order>]: PageRequest<DocumentRow>['order'] } = {
  updated: [
    { field: 'updatedAt', direction: 'desc' },
    { field: 'documentId', direction: 'desc' },
  ],
  created: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'documentId', direction: 'desc' },
  ],
  title: [
    { field: 'plainTitle', direction: 'asc' },
    { field: 'documentId', direction: 'asc' },
  ],
};

const requestOf = (roles: Roles, { which, search, order = 'updated' }: Query) => ({
  where: { documentId: documentIdsFor(roles, which), status: which === 'trashed' ? 'trashed' : 'active' },
  ...(search === undefined ? {} : { contains: { field: 'plainTitle' as const, text: search.toLowerCase() } }),
  order: orders[order],
});

const cursorValues = (row: DocumentRow, order: PageRequest<DocumentRow>['order']) =>
  order.map(({ field }) => String(row[field]));

/** Both views must have the requested position; the answer names the older one. */
const waitForBothViews = async ({ positions }: QueryDeps, { headers, signal }: Request) => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  const sight = { position: floor.right.position, signal: waitDeadline(signal, floor.right) };
  const [members, documents] = await Promise.all([
    waitUntilVisible(positions, { ...sight, view: documentMembersView }),
    waitUntilVisible(positions, { ...sight, view: documentsView }),
  ]);
  if (isLeft(members)) return members;
  if (isLeft(documents) || documents.right === null || members.right === null) return documents;
  return documents.right < members.right ? documents : members;
};

const list = async (reading: QueryDeps, request: Request): Promise<Answer> => {
  const { identity, query } = request;
  const { limit = defaultLimit, cursor, which, search, order } = query;
  // The set of documents may change between pages.
  const scope = [identity.tenantId, identity.principalId, 'listDocuments', { which, search, order }];
  const after = cursor === undefined ? right(undefined) : reading.cursors.read(scope, cursor);
  if (isLeft(after)) return refuseCursor(after.left);
  const position = await waitForBothViews(reading, request);
  if (isLeft(position)) return position.left;
  const roles = await rolesOf(reading, request);
  if (isLeft(roles)) return roles.left;
  const page = { ...requestOf(roles.right, query), ...(after.right === undefined ? {} : { after: after.right }) };
  const rows = await reading.views.page(documentsView, identity.tenantId, { ...page, limit: limit + 1 });
  if (isLeft(rows)) return problemOf(rows.left, {});
  const visible = rows.right.slice(0, limit);
  const last = rows.right.length > limit ? visible.at(-1) : undefined;
  const items = visible.map((row) => ({ ...toDocument(row), role: roles.right.get(row.documentId) }));
  const next = last === undefined ? null : reading.cursors.write(scope, cursorValues(last, page.order));
  return { status: 200, body: { items, next_cursor: next }, headers: positionHeader(position.right) };
};

export const listDocuments = route<QueryDeps>()({
  method: 'get',
  path: '/v1/documents',
  operation: 'listDocuments',
  summary: 'List documents that the caller has a role in',
  description:
    '`mine` are those that the caller owns, `shared` the others, `trashed` what the caller owns in the trash. Ordered by `updated` by default. A document may be listed for a moment after the caller was removed from it; it cannot be opened.',
  access: { scopes },
  query: Query,
  headers: [minPosition],
  answers: pageAnswers('DocumentsPage', Document),
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: list,
});
