/** The log of a job as it grows, over server-sent events. What is stored of it is answered by the query API. */
import { isLeft } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import type { Clock } from '../../../infra/ports/runtime/clock';
import { invalidInput } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, route, type ServerSentEvent } from '../../../infra/server/http/routing/route';
import type { RevocationWatch } from '../../../infra/server/http/streaming/revocation-watch';
import { endEvent, streamEnds } from '../../../infra/server/http/streaming/stream-end';
import { openSession } from '../../../infra/server/http/streaming/stream-session';
import { eventIdOf, findLog, LogPath, logFields, parseEventId } from '../../../infra/server/workflow/find-log';
import { logProblems } from '../../../infra/server/workflow/problems';
import { finished, followLog, type LogSources } from './follow-log';
import { LogEvent } from './log-event';

export interface LogRoutesDeps extends LogSources {
  readonly clock: Clock;
  readonly rights: RevocationWatch;
}

const LogQuery = record('LogQuery', {}, logFields);

/** The client cannot send a fresh token over server-sent events, so the stream ends and the client reconnects. */
const maxStreamMilliseconds = 15 * 60_000;

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
    if (next.value !== 'aborted') yield endEvent(next.value === 'complete' ? finished : streamEnds.unavailable);
    return;
  }
}

const followLogRoute = route<LogRoutesDeps>()({
  method: 'get',
  path: '/actions/jobs/:jobId/logs/events',
  operation: 'followJobLog',
  summary: 'Follow the log of a job',
  description:
    'Server-sent events: `log_chunk` (`type`, `runId`, `jobId`, `chunkOffset`, `text`, …) from `fromOffset` on, stored chunks first, then each as it is stored; `job_status`, `step_status` and `run_status` beside them; `log_end` at last, then `end` with the code `log-ended`. The `id` of an event is the chunk number, with `@` and the attempt after the first; `Last-Event-ID` goes before `fromOffset` and `attempt`. The same events are on the WebSocket `/actions/jobs/{jobId}/logs/stream` (`septet.logs.v1`).',
  access: { scopes: ['workflows:read'] },
  params: LogPath,
  query: LogQuery,
  headers: [{ name: 'Last-Event-ID', description: 'Resume after this chunk; goes before `fromOffset`.' }],
  stream: true,
  answers: { 200: { description: 'The log as it grows.', contentType: 'text/event-stream', body: LogEvent } },
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

export const logRoutes = (deps: LogRoutesDeps): readonly BoundRoute[] => [bind(deps, followLogRoute)];
