/** Reverse proxy: streams request and response without buffering large bodies, and propagates aborts both ways. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type Problem, problem } from '../../http/problem';
import { isReadByClients, readableByHeader } from '../../http/routing/cross-origin';
import { lingeringClose } from '../../http/server/lingering-close';
import { conclude } from '../../http/streaming/sse';
import { type StreamEnd, streamEnds } from '../../http/streaming/stream-end';
import { allowCrossOriginReading } from '../security-headers';
import { hasBody } from '../validate-request';
import { type ResponseHeaderRules, responseHeaders } from './headers';
import { type CallAbort, streamUpstreamResponse, type UpstreamCall } from './stream-response';
import type { Upstream } from './upstreams';

export interface ForwardOptions extends ResponseHeaderRules {
  readonly upstream: Upstream;
  readonly headers: Record<string, string | string[]>;
  readonly bodyLimit: number;
  /** Called when an event stream starts, with a function that ends it; returns what to call after the stream. */
  readonly opened: (end: (why: StreamEnd) => void) => () => void;
  /** Called with the body if it is small, before anything is sent upstream. False: the caller has already answered. */
  readonly admit: (body: Buffer | undefined) => Promise<boolean>;
}

type Failure = 'body-too-large' | 'client-gone';
interface ForwardState extends CallAbort {
  failure?: Failure;
  /** The response is complete or has failed. */
  over: boolean;
  /** The response arrived before the request body was complete. */
  unread: boolean;
  /** Last bytes of an event stream. */
  lastBytes: string;
  leave?: () => void;
}

/** Enforces the limit while reading: a chunked body does not announce its length. */
async function* limitBody(request: IncomingMessage, limit: number, flow: ForwardState): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) {
        flow.failure = 'body-too-large';
        throw new Error('body too large');
      }
      yield chunk;
    }
  } catch (error) {
    flow.failure ??= 'client-gone';
    throw error;
  }
}

/** Retries safe methods whose pooled connection was closed before any response. */
const canRetry = ({ method }: IncomingMessage, error: unknown): boolean =>
  (method === 'GET' || method === 'HEAD') && codeOf(error) === 'UND_ERR_SOCKET';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const unreachableCodes = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

const problemFor = (error: unknown, { title }: Upstream, limit: number, flow: ForwardState): Problem => {
  if (flow.failure === 'body-too-large') return problem('body-too-large', `The body may hold at most ${limit} bytes.`);
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

const bodyOf = async (request: IncomingMessage, { bodyLimit }: ForwardOptions, flow: ForwardState) => {
  if (!hasBody(request)) return undefined;
  const body = limitBody(request, bodyLimit, flow);
  if (!(Number(request.headers['content-length']) <= maxBufferedBody)) return body as unknown as Readable;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Services set the origin at endpoints for clients only, and only for the requesting one. */
const allowClientsOrigin = (response: ServerResponse, readableBy: string | string[] | undefined): void => {
  const { url = '', headers } = response.req;
  if (readableBy !== undefined && readableBy === headers.origin && isReadByClients(url))
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
    { opened, ownPolicy, setsCookies, ownLimits }: ForwardOptions,
    flow: ForwardState,
  ): UpstreamCall['begin'] =>
  (status, headers) => {
    // A refusal carries the headers of the limit that refused.
    const outgoing = responseHeaders(headers, {
      ownPolicy,
      setsCookies,
      ownLimits: ownLimits === true || status === 429,
    });
    allowClientsOrigin(response, headers[readableByHeader.toLowerCase()]);
    flow.unread = !response.req.complete;
    response.writeHead(status, flow.unread ? { ...outgoing, connection: 'close' } : outgoing);
    if (!String(headers['content-type']).startsWith('text/event-stream')) return;
    // Without this the headers would wait for the first event.
    response.flushHeaders();
    flow.leave = opened((why) => endStream(response, why, flow));
  };

const attemptForward = async (
  response: ServerResponse,
  forwarded: ForwardOptions,
  flow: ForwardState,
): Promise<void> => {
  const { req: request } = response;
  const begin = responseStarter(response, forwarded, flow);
  const body = await bodyOf(request, forwarded, flow);
  if (!(await forwarded.admit(Buffer.isBuffer(body) ? body : undefined))) {
    flow.over = true;
    return;
  }
  const { method, url: path = '/' } = request;
  const options = { method: method as Dispatcher.HttpMethod, path, headers: forwarded.headers };
  const passed = (chunk: Buffer): void => {
    // Event streams only.
    if (flow.leave !== undefined)
      flow.lastBytes = `${flow.lastBytes}${chunk.subarray(-2).toString('latin1')}`.slice(-2);
  };
  const exchanged = { request: body === undefined ? options : { ...options, body }, response, begin, passed };
  const { pool } = forwarded.upstream;
  try {
    await streamUpstreamResponse(pool, exchanged, flow);
  } catch (error) {
    if (!canRetry(request, error) || response.headersSent || flow.gone) throw error;
    await streamUpstreamResponse(pool, exchanged, flow);
  } finally {
    flow.over = true;
    flow.leave?.();
  }
  if (flow.unread) await lingeringClose(request);
  response.end();
};

/** Returns a problem that the caller must send; undefined when a response was sent or the client is gone. */
export const forward = async (response: ServerResponse, forwarded: ForwardOptions): Promise<Problem | undefined> => {
  const flow: ForwardState = { gone: false, over: false, unread: false, lastBytes: '' };
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
  }
};
