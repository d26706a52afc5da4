/** GET /v1/platform/streams/:stream/events: what was recorded in one stream, either way. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record } from '../../../domain/kernel/codec';
import type { ExplorerEvent } from '../../../infra/ports/stream-pages';
import { commonProblems, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { definedFields } from '../../kernel/defined-fields';
import { defaultLimit, PageLimit } from '../../kernel/pagination';
import { audienceOf, canReadStream, type Explorer, noStream } from '../explorer';
import { Direction, PlatformEvent, Revision, StreamName, scopes } from '../schemas';
import { loadRedactionContext, redactEvent } from './redaction';

export const StreamParams = record('PlatformStreamParams', { stream: StreamName });

const Query = record('PlatformStreamEventsQuery', {}, { from: Revision, direction: Direction, limit: PageLimit });
type Query = t.TypeOf<typeof Query>;

const Page = record('PlatformStreamEvents', { items: t.readonlyArray(PlatformEvent) }, { next: Revision });

/** An answer does not grow beyond it by more than one event. */
export const maxPageBytes = 4 * 1024 * 1024;

const nextOf = (events: readonly ExplorerEvent[], query: Query): { readonly next?: number } => {
  const last = events.at(-1)?.revision ?? 0;
  if (query.direction !== 'backwards') return { next: last + 1 };
  return last === 0 ? {} : { next: last - 1 };
};

const list = async (
  explorer: Explorer,
  { params: { stream }, query, identity }: RouteRequest<{ stream: string }, Query, unknown>,
): Promise<Answer> => {
  const audience = audienceOf(explorer, identity);
  if (!canReadStream(audience, stream)) return noStream();
  const { direction = 'forwards', limit = defaultLimit, from } = query;
  // One event more than the page, to know whether there is a next page.
  const page = { stream, direction, limit: limit + 1, mostBytes: maxPageBytes, ...definedFields({ from }) };
  const read = await explorer.pages.stream(page);
  if (isLeft(read)) return problemOf(read.left, {});
  if (read.right.events.length === 0 && from === undefined) return noStream();
  const events = read.right.events.slice(0, limit);
  const showing = await loadRedactionContext(explorer, audience, events);
  if (isLeft(showing)) return problemOf(showing.left, {});
  const isMore = events.length < read.right.events.length || read.right.cut;
  const items = events.map((event) => redactEvent(showing.right, event));
  return { status: 200, body: { items, ...(isMore ? nextOf(events, query) : {}) } };
};

export const exploring = {
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'view-store-unavailable': commonProblems['view-store-unavailable'],
};

export const listStreamEvents = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/streams/:stream/events',
  operation: 'listPlatformStreamEvents',
  summary: 'List the events of a stream, from a revision on or from its end back',
  description:
    '`from` is a revision, itself included: the `next` of the page before, which the last page does not have.',
  access: { scopes },
  params: StreamParams,
  query: Query,
  answers: { 200: { description: 'A page; shorter than `limit` where events are large.', body: Page } },
  problems: { ...exploring, 'not-found': commonProblems['not-found'] },
  handle: list,
});
