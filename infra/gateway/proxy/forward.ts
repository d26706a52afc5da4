/** Passes a request on and its answer back, both as they come: nothing large is collected, ends and aborts travel through. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isReadByClients, readableByHeader } from '../../http/cross-origin';
import { ends, type StreamEnd } from '../../http/ends';
import { linger } from '../../http/linger';
import { type Problem, problem } from '../../http/problem';
import { conclude } from '../../http/sse';
import { allowCrossOriginReading } from '../security-headers';
import { hasBody } from '../validate-request';
import { type ResponseHeaderRules, responseHeaders } from './headers';
import { type CallAbort, streamUpstreamResponse, type UpstreamCall } from './stream-response';
import type { Upstream } from './upstreams';

export interface ForwardOptions extends ResponseHeaderRules {
  readonly upstream: Upstream;
  readonly headers: Record<string, string | string[]>;
  readonly bodyLimit: number;
  /** Told of a stream that begins, and how it is ended; answers what is called when it is over. */
  readonly opened: (end: (why: StreamEnd) => void) => () => void;
  /** Asked when the body has been read, as far as it is; where it may not go on, that has been answered. */
  readonly admit: (body: Buffer | undefined) => Promise<boolean>;
}

type Failure = 'body-too-large' | 'client-gone';
interface ForwardState extends CallAbort {
  failure?: Failure;
  /** The answer has come in full, or will not. */
  over: boolean;
  /** The answer came before the request was whole. */
  unread: boolean;
  /** Of an event stream: what was passed on last. */
  lastBytes: string;
  leave?: () => void;
}

/** Counts, because a chunked body does not say how long it will be. */
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

/** Nothing was answered and reading twice changes nothing: a connection that had just been closed is no reason to fail. */
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

/** Waited for: the service is not kept busy by who sends slowly, and never sees what turns out not to be well-formed. */
const maxBufferedBody = 65_536;

const bodyOf = async (request: IncomingMessage, { bodyLimit }: ForwardOptions, flow: ForwardState) => {
  if (!hasBody(request)) return undefined;
  const body = limitBody(request, bodyLimit, flow);
  if (!(Number(request.headers['content-length']) <= maxBufferedBody)) return body as unknown as Readable;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** A service names an origin only at the endpoints that are read by clients, and only the one that asks. */
const allowClientsOrigin = (response: ServerResponse, readableBy: string | string[] | undefined): void => {
  const { url = '', headers } = response.req;
  if (readableBy !== undefined && readableBy === headers.origin && isReadByClients(url))
    allowCrossOriginReading(response, readableBy);
};

/** An event ends with an empty line. */
const isBetweenEvents = ({ lastBytes }: ForwardState): boolean => lastBytes.endsWith('\n\n');

/** Within an event nothing more can be said; what may not be had any longer is not sent to its end. */
const endStream = (response: ServerResponse, why: StreamEnd, flow: ForwardState): void => {
  if (isBetweenEvents(flow)) conclude(response, why);
  else if (why === ends.draining) response.end();
  else response.destroy();
};

const responseStarter =
  (
    response: ServerResponse,
    { opened, ownPolicy, setsCookies, ownLimits }: ForwardOptions,
    flow: ForwardState,
  ): UpstreamCall['begin'] =>
  (status, headers) => {
    // Whoever refuses says of which limit.
    const kept = responseHeaders(headers, { ownPolicy, setsCookies, ownLimits: ownLimits === true || status === 429 });
    allowClientsOrigin(response, headers[readableByHeader.toLowerCase()]);
    flow.unread = !response.req.complete;
    response.writeHead(status, flow.unread ? { ...kept, connection: 'close' } : kept);
    if (!String(headers['content-type']).startsWith('text/event-stream')) return;
    // A quiet stream would otherwise keep its head back until the first event.
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
  const asked = { method: method as Dispatcher.HttpMethod, path, headers: forwarded.headers };
  const passed = (chunk: Buffer): void => {
    // Of event streams only.
    if (flow.leave !== undefined)
      flow.lastBytes = `${flow.lastBytes}${chunk.subarray(-2).toString('latin1')}`.slice(-2);
  };
  const exchanged = { request: body === undefined ? asked : { ...asked, body }, response, begin, passed };
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
  if (flow.unread) await linger(request);
  response.end();
};

/** A problem that is still to be answered, or nothing when an answer was passed on or nobody waits for one. */
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
      // Cut off, so that half an answer is not taken for a whole one; a stream that was ended is whole.
      if (!response.writableEnded) response.destroy();
      return undefined;
    }
    return problemFor(error, forwarded.upstream, forwarded.bodyLimit, flow);
  }
};
