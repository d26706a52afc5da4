/** Reverse proxy: streams request and response without buffering large bodies, and propagates aborts both ways. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { TransferLimits } from '../../../domain/kernel/context';
import { type Problem, problem, problemOf } from '../../server/http/problem';
import { type RefusalNote, readRefusalNote, refusalHeader } from '../../server/http/refusal-note';
import { isReadByClients, readableByHeader } from '../../server/http/routing/cross-origin';
import { isWaitingToSend, sendContinue } from '../../server/http/server/expect-continue';
import { endUnread } from '../../server/http/server/lingering-close';
import { type BodyFault, openRequestStream, type RequestStream } from '../../server/http/streaming/request-stream';
import { conclude } from '../../server/http/streaming/sse';
import { type StreamEnd, streamEnds } from '../../server/http/streaming/stream-end';
import { gatewayProblems } from '../problems';
import { allowCrossOriginReading } from '../security-headers';
import { hasBody } from '../validate-request';
import { type ResponseHeaderRules, responseHeaders } from './headers';
import { type IdleWatch, unwatched, watchIdle } from './idle-watch';
import { type CallAbort, streamUpstreamResponse, type UpstreamCall } from './stream-response';
import type { Upstream } from './upstreams';

export interface ForwardOptions extends ResponseHeaderRules {
  readonly upstream: Upstream;
  readonly headers: Record<string, string | string[]>;
  readonly bodyLimit: number;
  /** Left out: the waits of the upstream hold. */
  readonly transfer?: TransferLimits | undefined;
  /** The service names the origin whose pages may read a GET. */
  readonly namesReaders?: boolean;
  /** A client that waits for 100 gets it before it is admitted, because its body decides. */
  readonly admitsByBody?: boolean;
  /** Called when an event stream starts, with a function that ends it; returns what to call after the stream. */
  readonly opened: (end: (why: StreamEnd) => void) => () => void;
  /** Called when the service refuses, with its note, where there is one. */
  readonly refused?: (note: RefusalNote | undefined) => void;
  /** Called with the body if it is small, before anything is sent upstream. False: the caller has already answered. */
  readonly admit: (body: Buffer | undefined) => Promise<boolean>;
}

/** `client-idle`, `service-idle`: no byte moved for too long, and who was to move one. `client-late`, `service-late`: the whole took too long. */
type Failure = BodyFault | 'service-idle' | 'client-late' | 'service-late';
interface ForwardState extends CallAbort {
  failure?: Failure;
  /** The response is complete or has failed. */
  over: boolean;
  /** The response arrived before the request body was complete. */
  unread: boolean;
  /** Last bytes of an event stream. */
  lastBytes: string;
  leave?: () => void;
  body?: RequestStream;
}

const usualMilliseconds = 6 * 3_600_000;

/** Retries safe methods whose pooled connection was closed before any response. */
const canRetry = ({ method }: IncomingMessage, error: unknown): boolean =>
  (method === 'GET' || method === 'HEAD') && codeOf(error) === 'UND_ERR_SOCKET';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const unreachableCodes = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

const refusal = (code: keyof typeof gatewayProblems, detail: string): Problem =>
  problemOf({ kind: 'rejection', code, detail }, gatewayProblems);

const problemFor = (error: unknown, { title }: Upstream, limit: number, flow: ForwardState): Problem => {
  switch (flow.failure) {
    case 'body-too-large':
      return problem('body-too-large', `The body may hold at most ${limit} bytes.`);
    case 'trailers':
      return { ...refusal('malformed-request', 'Trailers are not accepted.'), headers: { Connection: 'close' } };
    case 'client-idle':
      return refusal('request-timeout', 'The body stopped arriving.');
    case 'client-late':
      return refusal('request-timeout', 'The whole body did not arrive in time.');
    case 'service-idle':
      return problem('timeout', `The ${title} did not continue in time.`);
    case 'service-late':
      return problem('timeout', `The ${title} did not answer as a whole in time.`);
    case 'client-gone':
    case undefined:
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return problem('timeout', `The ${title} did not answer in time.`);
  if (unreachableCodes.has(code))
    return problem('service-unavailable', `The ${title} is not running, or starting; try again.`);
  return problem(
    'service-unavailable',
    `The ${title} went away before it answered; a command is safe to send again under the same Idempotency-Key.`,
  );
};

/** Bodies up to this size are read completely first: slow senders do not occupy the service, and malformed bodies never reach it. */
const maxBufferedBody = 65_536;

const isSmall = ({ headers }: IncomingMessage): boolean => Number(headers['content-length']) <= maxBufferedBody;

interface SentBody {
  /** Undefined: not small, or not here yet. */
  readonly small?: Buffer | undefined;
  readonly body?: Buffer | Readable;
}

const bodyOf = async (
  response: ServerResponse,
  { bodyLimit, transfer, admitsByBody }: ForwardOptions,
  flow: ForwardState & IdleWatch,
): Promise<SentBody> => {
  const { req: request } = response;
  if (!hasBody(request)) return {};
  const failed = (fault: BodyFault): void => {
    flow.failure = fault;
  };
  flow.body = openRequestStream(request, { maxBytes: bodyLimit, failed, received: flow.moved });
  const { stream } = flow.body;
  const isReadFirst = admitsByBody === true || !isWaitingToSend(request);
  if (transfer !== undefined || !isSmall(request) || !isReadFirst) return { body: stream };
  sendContinue(request);
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  const small = Buffer.concat(chunks);
  return { small, body: small };
};

/** Only the requesting origin, at endpoints for clients and where the manifest leaves it to the service. */
const allowNamedOrigin = (
  response: ServerResponse,
  readableBy: string | string[] | undefined,
  isServices: boolean,
): void => {
  const { url = '', headers } = response.req;
  if (readableBy !== undefined && readableBy === headers.origin && (isServices || isReadByClients(url)))
    allowCrossOriginReading(response, readableBy);
};

/** Events end with an empty line. */
const isBetweenEvents = ({ lastBytes }: ForwardState): boolean => lastBytes.endsWith('\n\n');

/** Sends the reason only between events. A stream that was revoked is cut, not drained. */
const endStream = (response: ServerResponse, why: StreamEnd, flow: ForwardState): void => {
  if (isBetweenEvents(flow)) conclude(response, why);
  else if (why === streamEnds.draining) response.end();
  else response.destroy();
};

const responseStarter =
  (
    response: ServerResponse,
    { opened, refused, ownPolicy, setsCookies, ownLimits, resourceMetadata, namesReaders }: ForwardOptions,
    flow: ForwardState,
  ): UpstreamCall['begin'] =>
  (status, headers) => {
    const note = readRefusalNote(headers[refusalHeader]);
    if (note !== undefined || status === 401 || status === 403 || status === 429) refused?.(note);
    // A refusal carries the headers of the limit that refused.
    const outgoing = responseHeaders(headers, {
      ownPolicy,
      setsCookies,
      ownLimits: ownLimits === true || status === 429,
      resourceMetadata,
    });
    // Both what the service and what the gateway decides by.
    if (outgoing.vary !== undefined && response.hasHeader('Vary'))
      outgoing.vary = `${String(outgoing.vary)}, ${String(response.getHeader('Vary'))}`;
    allowNamedOrigin(response, headers[readableByHeader.toLowerCase()], namesReaders === true);
    flow.unread = !response.req.complete;
    response.writeHead(status, flow.unread ? { ...outgoing, connection: 'close' } : outgoing);
    if (!String(headers['content-type']).startsWith('text/event-stream')) return;
    // Without this the headers would wait for the first event.
    response.flushHeaders();
    flow.leave = opened((why) => endStream(response, why, flow));
  };

const release = (flow: ForwardState & IdleWatch): void => {
  flow.over = true;
  flow.stop();
  flow.leave?.();
  // The rest of the request belongs to the lingering close.
  flow.body?.stream.destroy();
};

/** The gateway watches a transfer itself: a service may answer nothing for as long as bytes of the request move. */
const waitsOf = ({ transfer }: ForwardOptions) => (transfer === undefined ? {} : { headersTimeout: 0, bodyTimeout: 0 });

const attemptForward = async (
  response: ServerResponse,
  forwarded: ForwardOptions,
  flow: ForwardState & IdleWatch,
): Promise<void> => {
  const { req: request } = response;
  const begin = responseStarter(response, forwarded, flow);
  const { body, small } = await bodyOf(response, forwarded, flow);
  if (!(await forwarded.admit(small))) {
    flow.over = true;
    return;
  }
  sendContinue(request);
  const { method, url: path = '/' } = request;
  const options = { method: method as Dispatcher.HttpMethod, path, headers: forwarded.headers, ...waitsOf(forwarded) };
  const passed = (chunk: Buffer): void => {
    flow.moved();
    // Event streams only.
    if (flow.leave !== undefined)
      flow.lastBytes = `${flow.lastBytes}${chunk.subarray(-2).toString('latin1')}`.slice(-2);
  };
  const exchanged = {
    request: body === undefined ? options : { ...options, body },
    response,
    begin,
    passed,
    drained: flow.moved,
  };
  const { pool } = forwarded.upstream;
  try {
    await streamUpstreamResponse(pool, exchanged, flow);
  } catch (error) {
    if (!canRetry(request, error) || response.headersSent || flow.gone) throw error;
    await streamUpstreamResponse(pool, exchanged, flow);
  }
  release(flow);
  if (flow.unread) endUnread(response);
  else response.end();
};

/** Cuts both sides: an answer that has begun cannot become another one. False: nothing is there to be cut yet. */
const cutTransfer = (response: ServerResponse, flow: ForwardState, failure: Failure): boolean => {
  const { cut } = flow;
  // The connection to the service has a time limit of its own.
  if (cut === undefined) return false;
  flow.failure ??= failure;
  if (response.headersSent) response.destroy();
  cut();
  return true;
};

const watchTransfer = (response: ServerResponse, transfer: TransferLimits, flow: () => ForwardState): IdleWatch => {
  const { idleMilliseconds, maxMilliseconds = usualMilliseconds } = transfer;
  const idle = watchIdle(idleMilliseconds, () => {
    const awaitsClient = flow().body?.awaitsClient() === true;
    if (!cutTransfer(response, flow(), awaitsClient ? 'client-idle' : 'service-idle')) idle.moved();
  });
  const whole = watchIdle(maxMilliseconds, () => {
    const isReceived = response.req.complete;
    if (!cutTransfer(response, flow(), isReceived ? 'service-late' : 'client-late')) whole.moved();
  });
  const stop = (): void => {
    idle.stop();
    whole.stop();
  };
  return { moved: idle.moved, stop };
};

/** Returns a problem that the caller must send; undefined when a response was sent or the client is gone. */
export const forward = async (response: ServerResponse, forwarded: ForwardOptions): Promise<Problem | undefined> => {
  const flow: ForwardState & IdleWatch = {
    gone: false,
    over: false,
    unread: false,
    lastBytes: '',
    ...(forwarded.transfer === undefined ? unwatched : watchTransfer(response, forwarded.transfer, () => flow)),
  };
  response.once('close', () => {
    if (flow.over) return;
    flow.gone = true;
    flow.cut?.();
  });
  try {
    await attemptForward(response, forwarded, flow);
    return undefined;
  } catch (error) {
    if (response.headersSent || flow.gone || flow.failure === 'client-gone') {
      // Destroys the connection, so that the client does not take a partial response for a complete one.
      if (!response.writableEnded) response.destroy();
      return undefined;
    }
    return problemFor(error, forwarded.upstream, forwarded.bodyLimit, flow);
  } finally {
    release(flow);
  }
};
