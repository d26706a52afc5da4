/** Routes of a job's log: a page of it, and the log as it grows over server-sent events. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, listOf, record } from '../../../domain/kernel/codec';
import { JobId } from '../../../domain/workflow/ids';
import { invalidInput, problemOf } from '../../../infra/http/problem';
import { integerParameter } from '../../../infra/http/routing/integer-parameter';
import { type BoundRoute, bind, route, type ServerSentEvent } from '../../../infra/http/routing/route';
import type { RevocationWatch } from '../../../infra/http/streaming/revocation-watch';
import { endEvent, streamEnds } from '../../../infra/http/streaming/stream-end';
import { openSession } from '../../../infra/http/streaming/stream-session';
import type { Clock } from '../../../infra/ports/runtime/clock';
import { eventIdOf, findLog, parseEventId } from './find-log';
import { followLog, type LogEvent, type LogSources } from './follow-log';
import { LogMessage } from './log-pages';
import { logProblems } from './problems';
import { isAttemptOver } from './run-statuses';

export interface LogRoutesDeps extends LogSources {
  readonly clock: Clock;
  readonly rights: RevocationWatch;
}

const scopes = ['workflows:read'];
const LogPath = record('LogPath', { jobId: JobId });
const LogQuery = record(
  'LogQuery',
  {},
  {
    fromOffset: integerParameter('a chunk number from 0', { maximum: 2 ** 31 - 1 }),
    attempt: integerParameter('an attempt from 1', { minimum: 1, maximum: 1_000 }),
  },
);

/** The client cannot send a fresh token over server-sent events, so the stream ends and the client reconnects. */
const maxStreamMilliseconds = 15 * 60_000;

const readLog = route<LogRoutesDeps>()({
  method: 'get',
  path: '/actions/jobs/:jobId/logs',
  operation: 'readJobLog',
  summary: 'Read a page of the log of a job',
  description:
    'Chunks from the number `fromOffset` on (0 when left out), in order and without a gap. Go on with `nextOffset`. `complete`: the attempt has ended, and this page reaches the end. Without `attempt`, the latest that a runner has had.',
  access: { scopes },
  params: LogPath,
  query: LogQuery,
  answers: {
    200: {
      description: 'At least one chunk where there is one, and about 256 KiB of text at most.',
      body: record('JobLogPage', {
        attempt: integer(1),
        chunks: listOf('LogMessages', LogMessage, 1_000),
        nextOffset: integer(0),
        complete: t.boolean,
      }),
    },
  },
  problems: logProblems,
  handle: async (deps, { params: { jobId }, query, identity }) => {
    const location = await findLog(deps.logs, { identity, jobId, attempt: query.attempt });
    if (isLeft(location)) return location.left;
    const page = await deps.pages.read(location.right, query.fromOffset ?? 0);
    if (isLeft(page)) return problemOf(page.left, logProblems);
    const { messages, next, state } = page.right;
    const { attempt } = location.right;
    if (state.end === undefined && next >= state.next) {
      const found = await deps.statuses.of(location.right);
      // Of an attempt without a runner nobody else ends the log.
      if (!isLeft(found) && found.right !== undefined && isAttemptOver(found.right, attempt))
        await deps.logs.end(location.right, null);
    }
    const complete = state.isComplete && next >= state.next;
    return { status: 200, body: { attempt, chunks: messages, nextOffset: next, complete } };
  },
});

const framedEvents = new WeakMap<LogEvent, ServerSentEvent>();
/** The same for all viewers of a chunk. */
const framed = (event: LogEvent): ServerSentEvent => {
  const known = framedEvents.get(event);
  if (known !== undefined) return known;
  const id = event.type === 'log_chunk' ? { id: eventIdOf(event.chunkOffset, event.attempt) } : {};
  const made = { ...id, event: event.type, data: JSON.stringify(event) };
  framedEvents.set(event, made);
  return made;
};

async function* serverSentEvents(events: ReturnType<typeof followLog>): AsyncGenerator<ServerSentEvent> {
  for (;;) {
    const next = await events.next();
    if (next.done !== true) {
      yield framed(next.value);
      continue;
    }
    if (next.value !== undefined) yield endEvent(streamEnds.unavailable);
    return;
  }
}

const followLogRoute = route<LogRoutesDeps>()({
  method: 'get',
  path: '/actions/jobs/:jobId/logs/events',
  operation: 'followJobLog',
  summary: 'Follow the log of a job',
  description:
    'Server-sent events: `log_chunk` (`type`, `runId`, `jobId`, `chunkOffset`, `text`, …) from `fromOffset` on, stored chunks first, then each as it is stored; `job_status`, `step_status` and `run_status` beside them; `log_end` at last. The `id` of an event is the chunk number, with `@` and the attempt after the first; `Last-Event-ID` goes before `fromOffset` and `attempt`. The same events are on the WebSocket `/actions/jobs/{jobId}/logs/stream` (`septet.logs.v1`).',
  access: { scopes },
  params: LogPath,
  query: LogQuery,
  headers: [{ name: 'Last-Event-ID', description: 'Resume after this chunk; goes before `fromOffset`.' }],
  answers: { 200: { description: 'The log as it grows.', contentType: 'text/event-stream' } },
  problems: logProblems,
  handle: async (deps, { params: { jobId }, query, headers, identity, signal }) => {
    const header = headers['last-event-id'] || undefined;
    const resumed = header === undefined ? undefined : parseEventId(header);
    if (header !== undefined && resumed === undefined)
      return invalidInput([{ pointer: '/headers/last-event-id', expected: 'the id of an event of this stream' }]);
    const attempt = resumed?.attempt ?? query.attempt;
    const location = await findLog(deps.logs, { identity, jobId, attempt });
    if (isLeft(location)) return location.left;
    const session = openSession({ ...deps, longestMilliseconds: maxStreamMilliseconds }, identity);
    if (signal.aborted) session.close();
    else signal.addEventListener('abort', session.close, { once: true });
    const from = resumed?.from ?? query.fromOffset ?? 0;
    const either = AbortSignal.any([signal, session.ended]);
    const events = followLog(deps, { location: location.right, from, signal: either });
    return { stream: serverSentEvents(events), until: session.ended };
  },
});

export const logRoutes = (deps: LogRoutesDeps): readonly BoundRoute[] => [
  bind(deps, readLog),
  bind(deps, followLogRoute),
];
