/** The log of a job over a WebSocket: the events of `/logs/events`, each a JSON message. A message of the client ends it: there is none to send. */
import { isLeft } from 'fp-ts/Either';
import { JobId } from '../../../domain/workflow/ids';
import { type Problem, problem } from '../../../infra/server/http/problem';
import { type StreamEnd, streamEnds } from '../../../infra/server/http/streaming/stream-end';
import { openSession } from '../../../infra/server/http/streaming/stream-session';
import { findLog } from '../../../infra/server/workflow/find-log';
import type { CallerSocketRoute, SocketCaller } from '../../../infra/server/ws/endpoint';
import type { Socket } from '../../../infra/server/ws/socket';
import { finished, followLog } from './follow-log';
import type { LogEvent } from './log-event';
import type { LogRoutesDeps } from './routes';

export const logProtocol = 'septet.logs.v1';

/** Viewers of one chunk share its bytes. */
const encoded = new WeakMap<LogEvent, Buffer>();
const bytesOf = (event: LogEvent): Buffer => {
  const known = encoded.get(event);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(event));
  encoded.set(event, bytes);
  return bytes;
};

interface Start {
  readonly jobId: JobId;
  readonly from: number;
  readonly attempt: number | undefined;
}

const parseStart = ({ query, parameters }: SocketCaller): Start | Problem => {
  const { jobId } = parameters;
  if (!JobId.is(jobId)) return problem('not-found', 'There is no such job.');
  const search = new URLSearchParams(query);
  const [from, attempt] = [search.get('fromOffset') ?? '0', search.get('attempt') ?? undefined];
  if (!/^\d{1,9}$/.test(from)) return problem('invalid-input', 'fromOffset is a chunk number from 0.');
  if (attempt !== undefined && !/^[1-9]\d{0,2}$/.test(attempt))
    return problem('invalid-input', 'attempt is a number from 1.');
  return { jobId, from: Number(from), attempt: attempt === undefined ? undefined : Number(attempt) };
};

const endOf = ({ problem: { code, status, detail } }: Problem): StreamEnd =>
  status === 404 ? { code, closeCode: 4404, detail } : streamEnds.unavailable;

const sendLog = async (
  deps: LogRoutesDeps,
  { identity }: SocketCaller,
  { socket, start }: { readonly socket: Socket; readonly start: Start },
): Promise<StreamEnd> => {
  const location = await findLog(deps.logs, { identity, ...start });
  if (isLeft(location)) return endOf(location.left);
  const events = followLog(deps, { location: location.right, from: start.from, signal: socket.closed });
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value === 'unavailable' ? streamEnds.unavailable : finished;
    // The next chunk is not even read before the client has taken this one.
    if (!socket.send(bytesOf(next.value))) await socket.ready();
  }
};

const begin = (
  deps: LogRoutesDeps,
  caller: SocketCaller,
  opened: { readonly socket: Socket; readonly start: Start },
) => {
  const { socket } = opened;
  const session = openSession(deps, caller.identity);
  const ended = (): void => socket.end(session.ended.reason as StreamEnd);
  socket.closed.addEventListener('abort', session.close, { once: true });
  if (session.ended.aborted) ended();
  else session.ended.addEventListener('abort', ended, { once: true });
  void sendLog(deps, caller, opened)
    .catch((error: unknown) => {
      deps.log.error({ error }, 'defect in a stream of a log');
      return streamEnds.unavailable;
    })
    .then((why) => socket.end(why));
  return (): void => socket.end(streamEnds.malformed);
};

export const logSocket = (deps: LogRoutesDeps): CallerSocketRoute => ({
  path: '/actions/jobs/:jobId/logs/stream',
  protocol: logProtocol,
  scopes: ['workflows:read'],
  admit: (caller) => {
    const start = parseStart(caller);
    return 'problem' in start ? start : (socket) => begin(deps, caller, { socket, start });
  },
});
