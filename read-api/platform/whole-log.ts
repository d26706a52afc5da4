/** GET /v1/platform/all: the log itself, a page at a time. A page looks at so many events, found or not, so that none takes for ever. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record } from '../../domain/kernel/codec';
import { parseStreamName } from '../../domain/kernel/ids';
import { invalidInput, problem, problemOf } from '../../infra/http/problem';
import { type Answer, type RouteRequest, route } from '../../infra/http/route';
import type { SeenEvent } from '../../infra/ports/stream-pages';
import { defaultLimit, PageLimit } from '../kernel/page';
import { positionIn } from '../kernel/visible';
import { audienceOf, type Explorer, maySee } from './explorer';
import { showingOf } from './showing';
import { shownEvent } from './shown-event';
import { exploring, mostPageBytes } from './stream-events';
import { Context, Direction, EventType, PlatformEvent, Position, scopes } from './wire';

const mostLookedAt = 5_000;
const longestMilliseconds = 2_000;

const Query = record(
  'PlatformLogQuery',
  {},
  {
    from: Position,
    direction: Direction,
    limit: PageLimit,
    context: Context,
    type: EventType,
  },
);
type Query = t.TypeOf<typeof Query>;

const Page = record('PlatformLog', { items: t.readonlyArray(PlatformEvent) }, { next: Position });

interface Found {
  readonly events: readonly SeenEvent[];
  /** Undefined at the end of the log. */
  readonly next: bigint | undefined;
}

const isWanted = ({ context, type }: Query, event: SeenEvent): boolean =>
  (type === undefined || event.type === type) &&
  (context === undefined || parseStreamName(event.stream)?.context === context);

const sizeOf = ({ data, metadata }: SeenEvent): number =>
  data instanceof Uint8Array ? data.length * 2 : JSON.stringify([data, metadata]).length;

/** Throws when the store goes away. */
const look = async ({ pages }: Explorer, query: Query, audience: string): Promise<Found> => {
  const { from, direction = 'forwards', limit = defaultLimit } = query;
  const events: SeenEvent[] = [];
  const began = performance.now();
  let [looked, bytes] = [0, 0];
  for await (const event of pages.all({ after: from === undefined ? null : BigInt(from), direction })) {
    looked += 1;
    if (maySee(audience, event.stream) && isWanted(query, event)) {
      events.push(event);
      bytes += sizeOf(event);
    }
    const isEnough = events.length === limit || bytes >= mostPageBytes;
    const isLong = looked === mostLookedAt || performance.now() - began > longestMilliseconds;
    if (isEnough || isLong) return { events, next: event.position };
  }
  return { events, next: undefined };
};

const notThere = () => invalidInput([{ pointer: '/query/from', expected: 'the position of an event of this log' }]);
const away = () => problem('event-store-unavailable', 'The event store does not answer.');

/** Undefined when it cannot be read. */
const tryLook = (explorer: Explorer, query: Query, audience: string): Promise<Found | undefined> =>
  look(explorer, query, audience).catch(() => undefined);

const list = async (explorer: Explorer, request: RouteRequest<unknown, Query, unknown>): Promise<Answer> => {
  const audience = audienceOf(explorer, request.identity);
  const { from } = request.query;
  if (from !== undefined && positionIn(from) === undefined) return notThere();
  const found = await tryLook(explorer, request.query, audience);
  // A log that can be read from its beginning has no such position.
  if (found === undefined && from !== undefined && (await tryLook(explorer, { limit: 1 }, audience))) return notThere();
  if (found === undefined) return away();
  const showing = await showingOf(explorer, audience, found.events);
  if (isLeft(showing)) return problemOf(showing.left, {});
  const items = found.events.map((event) => shownEvent(showing.right, event));
  return { status: 200, body: { items, ...(found.next === undefined ? {} : { next: String(found.next) }) } };
};

export const listLog = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/all',
  operation: 'listPlatformLog',
  summary: 'The log, from its beginning on or from its end back: the tenant’s events, or all for operators.',
  description:
    '`from` is a position, itself excluded: the `next` of the page before, which is absent at the end. A page looks at a few thousand events at most, so one that filters may hold fewer than `limit`, or none, and still have a `next`.',
  access: { scopes },
  query: Query,
  answers: { 200: { description: 'A page.', body: Page } },
  problems: { ...exploring },
  handle: list,
});
