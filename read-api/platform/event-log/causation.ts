/** GET /v1/platform/causes/:correlationId: everything that one request led to, as a tree. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { commonProblems, problemOf } from '../../../infra/server/http/problem';
import { integerParameter } from '../../../infra/server/http/routing/integer-parameter';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { type PlatformEventRow, platformEventsView } from '../../../projections/platform/events/view';
import { minPosition } from '../../kernel/query-routes';
import { audienceOf, type Explorer, waitForView } from '../explorer';
import { EventId, EventType, Position, StreamName, scopes, searched } from '../schemas';
import { treeOf } from './causation-tree';

const CorrelationId = searched('CorrelationId', { maxLength: 256, examples: ['9f4c1f5e-2c0e-4a59-8d58-1f1c1d5a0c11'] });
const Params = record('PlatformCausesParams', { correlationId: CorrelationId });
const defaultLimit = 200;
const Query = record(
  'PlatformCausesQuery',
  {},
  { limit: integerParameter('PlatformCausesLimit', { minimum: 1, maximum: 1_000, fallback: defaultLimit }) },
);

const Cause = record('PlatformCause', {
  id: EventId,
  causationId: nullable(text('CausationId', { examples: ['018f2a5e-6c3d-5b7a-9d41-2f6c8e0a1b3c'], maxLength: 256 })),
  stream: StreamName,
  revision: integer(0),
  position: Position,
  type: EventType,
  at: nullable(Instant),
  /** 0 for what began it. */
  depth: integer(0),
});
const Causes = record('PlatformCauses', { items: t.readonlyArray(Cause), truncated: t.boolean });

type Request = RouteRequest<t.TypeOf<typeof Params>, t.TypeOf<typeof Query>, unknown>;

const entryOf = ({ eventId: id, ...row }: PlatformEventRow) => ({ id, ...row });

const list = async (explorer: Explorer, request: Request): Promise<Answer> => {
  const { params, query, identity } = request;
  const { limit = defaultLimit } = query;
  const at = await waitForView(explorer.reading, platformEventsView, request);
  if (isLeft(at)) return at.left;
  const found = await explorer.reading.views.page(platformEventsView, audienceOf(explorer, identity), {
    where: { correlationId: params.correlationId },
    order: [{ field: 'position', direction: 'asc' }],
    limit: limit + 1,
  });
  if (isLeft(found)) return problemOf(found.left, {});
  const tree = treeOf(found.right.slice(0, limit).map(entryOf));
  const items = tree.map(({ event: { id, causationId, stream, revision, position, type, at: when }, depth }) => ({
    id,
    causationId,
    stream,
    revision,
    position,
    type,
    at: when,
    depth,
  }));
  return { status: 200, body: { items, truncated: found.right.length > limit }, headers: positionHeader(at.right) };
};

export const listCauses = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/causes/:correlationId',
  operation: 'listPlatformCauses',
  summary: 'List the events of a correlation id, as a tree of causes and effects',
  description: 'An unknown conversation has no events. `truncated`: there are more, of which the latest are left out.',
  access: { scopes },
  params: Params,
  query: Query,
  headers: [minPosition],
  answers: { 200: { description: 'The tree, in the order it is read.', body: Causes, headers: ['Position'] } },
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: list,
});
