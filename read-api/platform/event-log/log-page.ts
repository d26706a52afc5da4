/** GET /v1/platform/all: the log itself, a page at a time. A page looks at so many events, found or not, so that none takes for ever. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record } from '../../../domain/kernel/codec';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { ExplorerEvent } from '../../../infra/ports/stream-pages';
import { invalidInput, problem, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { defaultLimit, PageLimit } from '../../kernel/pagination';
import { parsePosition } from '../../kernel/read-your-writes';
import { audienceOf, canReadStream, type Explorer } from '../explorer';
import { Context, Direction, PlatformEvent, Position, scopes, WantedType } from '../schemas';
import { isOfType } from './event-type-filter';
import { loadRedactionContext, redactEvent } from './redaction';
import { exploring, maxPageBytes } from './stream-events';

const maxExaminedEvents = 5_000;
const maxMilliseconds = 2_000;

const Query = record(
  'PlatformLogQuery',
  {},
  {
    from: Position,
    direction: Direction,
    limit: PageLimit,
    context: Context,
    type: WantedType,
  },
);
type Query = t.TypeOf<typeof Query>;

const Page = record('PlatformLog', { items: t.readonlyArray(PlatformEvent) }, { next: Position });

interface LogPageResult {
  readonly events: readonly ExplorerEvent[];
  /** Undefined at the end of the log. */
  readonly next: bigint | undefined;
}

const isWanted = ({ context, type }: Query, event: ExplorerEvent): boolean =>
  (type === undefined || isOfType(event.type, type)) &&
  (context === undefined || parseStreamName(event.stream)?.context === context);

const sizeOf = ({ data, metadata }: ExplorerEvent): number =>
  data instanceof Uint8Array ? data.length * 2 : JSON.stringify([data, metadata]).length;

/** Throws when the store goes away. */
const readMatching = async ({ pages }: Explorer, query: Query, audience: string): Promise<LogPageResult> => {
  const { from, direction = 'forwards', limit = defaultLimit } = query;
  const events: ExplorerEvent[] = [];
  const began = performance.now();
  let [looked, bytes] = [0, 0];
  for await (const event of pages.all({ after: from === undefined ? null : BigInt(from), direction })) {
    looked += 1;
    if (canReadStream(audience, event.stream) && isWanted(query, event)) {
      events.push(event);
      bytes += sizeOf(event);
    }
    const isEnough = events.length === limit || bytes >= maxPageBytes;
    const isLong = looked === maxExaminedEvents || performance.now() - began > maxMilliseconds;
    if (isEnough || isLong) return { events, next: event.position };
  }
  return { events, next: undefined };
};

const positionUnknown = () =>
  invalidInput([{ pointer: '/query/from', expected: 'the position of an event of this log' }]);
const logUnavailable = () => problem('event-store-unavailable', 'The log does not answer.');

/** Undefined when it cannot be read. */
const tryReadMatching = (explorer: Explorer, query: Query, audience: string): Promise<LogPageResult | undefined> =>
  readMatching(explorer, query, audience).catch(() => undefined);

const list = async (explorer: Explorer, request: RouteRequest<unknown, Query, unknown>): Promise<Answer> => {
  const audience = audienceOf(explorer, request.identity);
  const { from } = request.query;
  if (from !== undefined && parsePosition(from) === undefined) return positionUnknown();
  const found = await tryReadMatching(explorer, request.query, audience);
  // A log that can be read from its beginning has no such position.
  if (found === undefined && from !== undefined && (await tryReadMatching(explorer, { limit: 1 }, audience)))
    return positionUnknown();
  if (found === undefined) return logUnavailable();
  const showing = await loadRedactionContext(explorer, audience, found.events);
  if (isLeft(showing)) return problemOf(showing.left, {});
  const items = found.events.map((event) => redactEvent(showing.right, event));
  return { status: 200, body: { items, ...(found.next === undefined ? {} : { next: String(found.next) }) } };
};

export const listLog = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/all',
  operation: 'listPlatformLog',
  summary: 'List the log, from its beginning on or from its end back: the tenant’s events, or all for operators',
  description:
    '`from` is a position, itself excluded: the `next` of the page before, which is absent at the end. A page looks at a few thousand events at most, so a filtered page may have fewer than `limit` events, or none, and still have a `next`.',
  access: { scopes },
  query: Query,
  answers: { 200: { description: 'A page.', body: Page } },
  problems: { ...exploring },
  handle: list,
});
