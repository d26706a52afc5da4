/** A stream over server-sent events. */
import { isLeft } from 'fp-ts/Either';
import { commonProblems, problemOf } from '../../../infra/server/http/problem';
import {
  type Answer,
  type Route,
  type RouteRequest,
  route,
  type ServerSentEvent,
} from '../../../infra/server/http/routing/route';
import { endEvent, streamEnds } from '../../../infra/server/http/streaming/stream-end';
import { openSession, type Session } from '../../../infra/server/http/streaming/stream-session';
import { followStream, type Subscriber } from './follow-stream';
import type { LiveLog } from './live-log';
import { compileFilter, type Filter, type StartQuery, type Stream } from './stream-definition';
import { audienceOf } from './stream-event';
import { checkQuota, resolveStart, type StreamService } from './stream-service';

/** The client cannot send a fresh token on this transport, so the stream ends and the client reconnects. */
export const maxStreamMilliseconds = 15 * 60_000;

type Query = Filter & StartQuery;
type Request = RouteRequest<unknown, Query, unknown>;

/** The header wins: a client that reconnects sends it, and its URL still has the position of the first request. */
const startRequestOf = ({ headers, query }: Request) => {
  const header = headers['last-event-id'] || undefined;
  if (header !== undefined) return { after: header, pointer: '/headers/last-event-id' };
  return query.after === undefined
    ? { after: query.last_event_id, pointer: '/query/last_event_id' }
    : { after: query.after, pointer: '/query/after' };
};

async function* continued(first: ServerSentEvent, rest: ReturnType<typeof followStream>) {
  yield first;
  const fault = yield* rest;
  if (fault !== undefined) yield endEvent({ ...streamEnds.unavailable, code: fault.code, detail: fault.detail });
}

/** Waits for the first event, so that an unreadable log is answered with a problem instead of a broken stream. */
const startStream = async (live: LiveLog, follower: Subscriber, until: AbortSignal): Promise<Answer> => {
  const events = followStream(live, follower);
  const first = await events.next();
  if (first.done !== true) return { stream: continued(first.value, events), until };
  if (first.value !== undefined) return problemOf(first.value, {});
  return { stream: (async function* () {})(), until };
};

/** Counts the stream against the quota until the session ends. */
export const openStreamOfSession = (
  { quota, streamMetrics }: StreamService,
  stream: Pick<Stream, 'name'>,
  request: Pick<Request, 'identity' | 'signal'>,
  session: Session,
): void => {
  const release = quota.acquire(request.identity);
  const left = streamMetrics.joined('sse');
  const unsubscribed = streamMetrics.subscribed(stream.name, 'sse');
  const close = (): void => {
    session.close();
    release();
    unsubscribed();
    left(session.ended.aborted ? String(session.ended.reason.code) : undefined);
  };
  if (request.signal.aborted) close();
  else request.signal.addEventListener('abort', close, { once: true });
};

export const followFrom = async (streaming: StreamService, stream: Stream, request: Request): Promise<Answer> => {
  const { identity, signal } = request;
  const { after: _after, last_event_id: _last, ...filter } = request.query;
  const refused = await stream.refuse?.(identity, filter);
  if (refused !== undefined) return refused;
  const audience = audienceOf(stream.followed, identity.tenantId);
  const begin = await resolveStart(streaming.hubOf(stream), { ...startRequestOf(request), audience });
  if (isLeft(begin)) return begin.left;
  const full = checkQuota(streaming, identity);
  if (full !== undefined) return full;
  const session = openSession({ ...streaming, longestMilliseconds: maxStreamMilliseconds }, identity);
  openStreamOfSession(streaming, stream, request, session);
  const either = AbortSignal.any([signal, session.ended]);
  const { live, after } = begin.right;
  const follower = { tenantId: audience, after, signal: either, ...compileFilter(stream, filter) };
  return startStream(live, follower, session.ended);
};

const description = [
  'Server-sent events (WHATWG HTML). The `id` of each is opaque and marks its position; a client that reconnects with',
  '`Last-Event-ID` (or `after`) gets all later events, once and in order. Without one, events from now on.',
  'An event `ready` confirms that everything recorded so far was sent; `checkpoint` moves the id forward while nothing',
  'happens for the caller. `end` has the reason why the stream ends (`code`): with the token, at once when it is revoked, after',
  '15 minutes, or because the server stops. The same stream is on the WebSocket `/v1/streams`, under its name.',
].join(' ');

export const streamRoute = (stream: Stream): Route<StreamService, unknown, Query> => {
  const { path, operation, summary, scopes, query, name, item } = stream;
  const events = { description: 'Events as they are recorded.', contentType: 'text/event-stream' } as const;
  return route<StreamService>()({
    path,
    operation,
    summary,
    description: `${description} Its name: \`${name}\`.`,
    method: 'get',
    access: { scopes },
    query,
    headers: [{ name: 'Last-Event-ID', description: 'Resume after this event; goes before `after`.' }],
    stream: name,
    answers: { 200: item === undefined ? events : { ...events, body: item } },
    problems: {
      'event-store-unavailable': commonProblems['event-store-unavailable'],
      'service-unavailable': commonProblems['service-unavailable'],
    },
    handle: (streaming, request) => followFrom(streaming, stream, request),
  });
};
