/** One event: with what it changed, and where it is when only its id is known. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, record, text } from '../../../domain/kernel/codec';
import { commonProblems, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { platformEventsView } from '../../../projections/platform/events/view';
import { minPosition } from '../../kernel/query-routes';
import { audienceOf, canReadStream, type Explorer, waitForView } from '../explorer';
import { EventId, PlatformEvent, Position, Revision, State, StreamName, scopes } from '../schemas';
import { loadRedactionContext, redactEvent } from './redaction';
import { stateAtEvent } from './state-at-event';
import { exploring, StreamParams } from './stream-events';

const OneParams = t.intersection([StreamParams, record('PlatformRevisionParams', { revision: Revision })]);
type OneParams = t.TypeOf<typeof OneParams>;

const StateChange = record(
  'PlatformStateChange',
  {
    op: t.keyof({ add: null, remove: null, replace: null }),
    path: text('JsonPointer', { minLength: 0, maxLength: 10_000, examples: ['/status'] }),
  },
  { value: State, was: State },
);

const OneEvent = record(
  'PlatformEventWithState',
  { event: PlatformEvent },
  {
    before: State,
    after: State,
    changes: t.readonlyArray(StateChange),
    stateOmitted: text('StateOmitted', {
      examples: ['The aggregate is not one that audits fold.'],
      maxLength: 256,
      description: 'Why the state is missing, in a sentence.',
    }),
  },
);

const missing = () => problem('not-found', 'There is no such event, or you may not read it.');

const one = async (explorer: Explorer, request: RouteRequest<OneParams, unknown, unknown>): Promise<Answer> => {
  const { stream, revision } = request.params;
  const audience = audienceOf(explorer, request.identity);
  if (!canReadStream(audience, stream)) return missing();
  const page = { stream, from: revision, direction: 'forwards', limit: 1, mostBytes: Number.MAX_SAFE_INTEGER } as const;
  const read = await explorer.pages.stream(page);
  if (isLeft(read)) return problemOf(read.left, {});
  const [event] = read.right.events;
  if (event?.revision !== revision) return missing();
  const [showing, around] = await Promise.all([
    loadRedactionContext(explorer, audience, [event]),
    stateAtEvent(explorer, audience, event),
  ]);
  if (isLeft(showing)) return problemOf(showing.left, {});
  if (isLeft(around)) return problemOf(around.left, {});
  return { status: 200, body: { event: redactEvent(showing.right, event), ...around.right } };
};

export const getStreamEvent = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/streams/:stream/events/:revision',
  operation: 'getPlatformStreamEvent',
  summary: 'Get an event, with the state of its aggregate before and after it',
  description:
    'The state is folded from the events up to this one. If that is not possible, `stateOmitted` has the reason in place of `before`, `after` and `changes`.',
  access: { scopes },
  params: OneParams,
  answers: { 200: { description: 'The event.', body: OneEvent } },
  problems: { ...exploring, 'not-found': commonProblems['not-found'] },
  handle: one,
});

const IdParams = record('PlatformEventParams', {
  eventId: EventId,
});
const Where = record('PlatformEventPlace', { stream: StreamName, revision: integer(0), position: Position });

const find = async (explorer: Explorer, request: RouteRequest<t.TypeOf<typeof IdParams>, unknown, unknown>) => {
  const audience = audienceOf(explorer, request.identity);
  const at = await waitForView(explorer.reading, platformEventsView, request);
  if (isLeft(at)) return at.left;
  const where = { eventId: request.params.eventId };
  const order = [{ field: 'position', direction: 'asc' }] as const;
  const found = await explorer.reading.views.page(platformEventsView, audience, { where, order, limit: 1 });
  if (isLeft(found)) return problemOf(found.left, {});
  const headers = positionHeader(at.right);
  const [row] = found.right;
  if (row === undefined) return { ...missing(), headers };
  const { stream, revision, position } = row;
  return { status: 200, body: { stream, revision, position }, headers };
};

export const findEvent = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/events/:eventId',
  operation: 'findPlatformEvent',
  summary: 'Find an event by its id',
  access: { scopes },
  params: IdParams,
  headers: [minPosition],
  answers: { 200: { description: 'Its place.', body: Where, headers: ['Position'] } },
  problems: {
    'not-found': commonProblems['not-found'],
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: find,
});
