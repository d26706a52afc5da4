/** Live streams as routes: server-sent events from the log, resumed by position. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { record, text } from '../../domain/kernel/codec';
import { commonProblems, invalidInput, type Problem, problem, problemOf } from '../../infra/http/problem';
import { type Answer, type Route, type RouteRequest, route, type ServerSentEvent } from '../../infra/http/route';
import type { Clock } from '../../infra/ports/clock';
import { type Follower, follow } from './follow';
import type { Hub, Live } from './hub';
import { limited } from './limited';
import type { Places } from './places';
import { positionIn } from './visible';

export interface Streaming {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly places: Places;
}

const longestMilliseconds = 15 * 60_000;

const Position = text('Position', { maxLength: 20, pattern: '[0-9]{1,20}', examples: ['41216'] });
const StreamQuery = record('StreamQuery', {}, { last_event_id: Position });

type Request = RouteRequest<unknown, { readonly last_event_id?: string }, unknown>;

/** A client that reconnects sends the header, while its URL still holds what it began with. */
const beginOf = async ({ hub }: Streaming, live: Live, request: Request): Promise<Either<Problem, bigint>> => {
  const header = request.headers['last-event-id'] || undefined;
  const given = header ?? request.query.last_event_id;
  if (given === undefined) return right(live.last());
  const pointer = header === undefined ? '/query/last_event_id' : '/headers/last-event-id';
  const after = positionIn(given);
  if (after === undefined) return left(invalidInput([{ pointer, expected: 'a position: decimal digits' }]));
  if (after <= live.last()) return right(after);
  const head = await hub.head();
  if (isLeft(head)) return left(problemOf(head.left, {}));
  if (head.right !== null && after <= head.right) return right(after);
  return left(invalidInput([{ pointer, expected: 'a position that the log has come to' }]));
};

/** Ends with the token, and in any case after a while: who follows shows a fresh token now and then. */
const endOf = ({ clock }: Streaming, { identity, signal }: Request): AbortSignal => {
  const rest = identity.expiresAt === undefined ? longestMilliseconds : identity.expiresAt - Date.parse(clock.now());
  return limited(signal, Math.min(longestMilliseconds, Math.max(0, rest)));
};

async function* continued(first: ServerSentEvent, rest: AsyncGenerator<ServerSentEvent, unknown>) {
  yield first;
  yield* rest;
}

/** The first event is waited for, so that a log which cannot be read is a problem and not a broken stream. */
const opened = async (live: Live, follower: Follower): Promise<Answer> => {
  const events = follow(live, follower);
  const first = await events.next();
  if (first.done !== true) return { stream: continued(first.value, events) };
  return first.value === undefined
    ? problem('unauthenticated', 'The token ends now; follow again with a fresh one.')
    : problemOf(first.value, {});
};

const followFrom = async (streaming: Streaming, request: Request): Promise<Answer> => {
  const live = await streaming.hub.live();
  if (isLeft(live)) return problemOf(live.left, {});
  const after = await beginOf(streaming, live.right, request);
  if (isLeft(after)) return after.left;
  const { tenantId } = request.identity;
  const leave = streaming.places.take(tenantId);
  if (leave === undefined) return problem('service-unavailable', 'Too many clients follow right now; try again later.');
  if (request.signal.aborted) leave();
  request.signal.addEventListener('abort', leave, { once: true });
  return opened(live.right, { tenantId, after: after.right, signal: endOf(streaming, request) });
};

export interface StreamSpec {
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly scopes: readonly string[];
}

const description = [
  'Server-sent events (WHATWG HTML). The `id` of each is its position in the log; a client that comes back with',
  '`Last-Event-ID` (or `last_event_id`) gets everything after it, once and in order. Without one, events from now on.',
  'An event `ready` says that everything recorded so far was sent; `checkpoint` moves the id forward while nothing',
  'happens for the caller. The stream ends when the token does, and after 15 minutes: come back with a fresh token.',
].join(' ');

export const streamRoute = ({ scopes, ...spec }: StreamSpec): Route<Streaming, unknown, Request['query']> =>
  route<Streaming>()({
    ...spec,
    description,
    method: 'get',
    access: { scopes },
    query: StreamQuery,
    headers: [{ name: 'Last-Event-ID', description: 'Resume after this position; goes before `last_event_id`.' }],
    answers: { 200: { description: 'Events as they are recorded.', contentType: 'text/event-stream' } },
    problems: { 'event-store-unavailable': commonProblems['event-store-unavailable'] },
    handle: followFrom,
  });
