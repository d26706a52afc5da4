/** GET /v1/platform/streams: which streams there are. */
import * as t from 'io-ts';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { commonProblems } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { type PlatformStreamRow, platformStreamsView } from '../../../projections/platform/streams/view';
import { definedFields } from '../../kernel/defined-fields';
import { IdList, idsIn } from '../../kernel/id-list';
import { PageLimit } from '../../kernel/pagination';
import { minPosition } from '../../kernel/query-routes';
import { queryPage } from '../../kernel/row-queries';
import { audienceOf, type Explorer } from '../explorer';
import { EventType, StreamName, scopes, searched } from '../schemas';

const Cursor = text('PlatformCursor', {
  examples: ['eyJhZnRlciI6NDJ9.c2lnbmVk'],
  maxLength: 2048,
  description: 'The `next` of the page before.',
});
const Word = searched('PlatformSearch', { examples: ['principal'], maxLength: 256 });

const Name = text('PlatformNamePart', { examples: ['identity.principal'], maxLength: 1024 });

const Id = text('PlatformNamedId', { examples: ['7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'], maxLength: 192 });

const PlatformStream = record('PlatformStream', {
  stream: StreamName,
  context: nullable(Name),
  aggregate: nullable(Name),
  tenantId: nullable(Name),
  id: nullable(Name),
  /** That are still there. */
  events: integer(0),
  firstRevision: integer(0),
  lastRevision: integer(0),
  firstAt: nullable(Instant),
  lastAt: nullable(Instant),
  lastType: EventType,
  /** The principal and the client that its first event names, as of the login of a person; null where it names none. */
  principalId: nullable(Id),
  clientId: nullable(Id),
});

const Order = oneOf('PlatformStreamsOrder', ['name', 'created', 'changed']);
const OrderDirection = oneOf('PlatformStreamsDirection', ['asc', 'desc']);

const PlatformStreams = record('PlatformStreams', { items: t.readonlyArray(PlatformStream) }, { next: Cursor });

const Query = record(
  'PlatformStreamsQuery',
  {},
  {
    prefix: searched('PlatformPrefix', {
      examples: ['identity.'],
      maxLength: 1024,
      description: 'Prefix of the names.',
    }),
    context: Word,
    aggregate: Word,
    search: Word,
    principalIds: IdList,
    order: Order,
    direction: OrderDirection,
    cursor: Cursor,
    limit: PageLimit,
  },
);
type Query = t.TypeOf<typeof Query>;

const orNull = (value: string): string | null => (value === '' ? null : value);

const show = ({
  stream,
  context,
  aggregate,
  tenantId,
  id,
  lastType,
  principalId,
  clientId,
  ...row
}: PlatformStreamRow) => {
  const { revision: lastRevision, firstRevision, firstAt, lastAt } = row;
  const names = { context: orNull(context), aggregate: orNull(aggregate), tenantId: orNull(tenantId), id: orNull(id) };
  const events = lastRevision - firstRevision + 1;
  return { stream, ...names, events, firstRevision, lastRevision, firstAt, lastAt, lastType, principalId, clientId };
};

/** Behind every name that begins so, in the order of their bytes. */
const afterAll = '\u{10ffff}';

/** Positions rather than times: every event has one, and an index has them in order. */
const orderFields = { name: 'stream', created: 'firstPosition', changed: 'lastPosition' } as const;

const orderOf = ({ order = 'name', direction = order === 'name' ? 'asc' : 'desc' }: Query) => {
  const { [order]: field } = orderFields;
  const first = { field, direction };
  return order === 'name' ? [first] : [first, { field: orderFields.name, direction }];
};

const rowsOf = (query: Query) => {
  const { prefix, context, aggregate, search, principalIds } = query;
  return {
    where: definedFields({ context, aggregate, principalId: idsIn(principalIds) }),
    ...(prefix === undefined
      ? {}
      : { between: { field: 'stream' as const, from: prefix, to: `${prefix}${afterAll}` } }),
    ...(search === undefined ? {} : { contains: { field: 'stream' as const, text: search } }),
    order: orderOf(query),
  };
};

const list = async (explorer: Explorer, request: RouteRequest<unknown, Query, unknown>): Promise<Answer> => {
  const { identity, query } = request;
  const seen = { ...request, identity: { ...identity, tenantId: audienceOf(explorer, identity) } };
  const { limit, cursor } = query;
  const rows = { operation: 'listPlatformStreams', view: platformStreamsView, request: rowsOf(query), show };
  const answer = await queryPage(explorer.reading, { ...rows, limit, cursor }, seen);
  if (!('body' in answer)) return answer;
  const { items, next_cursor: next } = answer.body as { items: readonly unknown[]; next_cursor: string | null };
  return { ...answer, body: { items, ...(next === null ? {} : { next }) } };
};

export const listStreams = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/streams',
  operation: 'listPlatformStreams',
  summary: 'List streams by name: those of the tenant, or all for operators of the platform',
  description:
    '`prefix` matches the beginning of the name, `search` any part of it. Both are case-sensitive. `principalIds` are of the principals that the first event of a stream names. Ordered by `name` from the first, or by when they were `created` or `changed` from the latest, unless `direction` says otherwise.',
  access: { scopes },
  query: Query,
  headers: [minPosition],
  answers: { 200: { description: 'A page; the last has no `next`.', body: PlatformStreams, headers: ['Position'] } },
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: list,
});
