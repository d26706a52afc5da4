/** Passes a request on and its answer back, both as they come: nothing is collected, ends and aborts travel through. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { ends, type StreamEnd } from '../http/ends';
import { linger } from '../http/linger';
import { type Problem, problem } from '../http/problem';
import { answerHeaders } from './headers';
import type { Upstream } from './upstream';
import { hasBody } from './well-formed';

export interface Forwarded {
  readonly upstream: Upstream;
  readonly headers: Record<string, string | string[]>;
  readonly bodyLimit: number;
  /** What is served says itself what browsers may do with it. */
  readonly ownPolicy: boolean;
  /** Told of a stream that begins, and how it is ended; answers what is called when it is over. */
  readonly opened: (end: (why: StreamEnd) => void) => () => void;
}

type Failure = 'body-too-large' | 'client-gone';
interface Flow {
  failure?: Failure;
}

/** Counts, because a chunked body does not say how long it will be. */
async function* limited(request: IncomingMessage, limit: number, flow: Flow): AsyncGenerator<Buffer> {
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
const mayAskAgain = ({ method }: IncomingMessage, error: unknown): boolean =>
  (method === 'GET' || method === 'HEAD') && codeOf(error) === 'UND_ERR_SOCKET';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const unreachable = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

const problemFor = (error: unknown, { title }: Upstream, limit: number, flow: Flow): Problem => {
  if (flow.failure === 'body-too-large') return problem('body-too-large', `The body may hold at most ${limit} bytes.`);
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return problem('timeout', `The ${title} did not answer in time.`);
  if (unreachable.has(code))
    return problem('service-unavailable', `The ${title} is not running, or starting; try again.`);
  return problem(
    'service-unavailable',
    `The ${title} went away before it answered; a command is safe to send again under the same Idempotency-Key.`,
  );
};

const ask = async (request: IncomingMessage, forwarded: Forwarded, signal: AbortSignal, flow: Flow) => {
  const { upstream, headers, bodyLimit } = forwarded;
  const options = {
    method: request.method as Dispatcher.HttpMethod,
    path: request.url ?? '/',
    headers,
    signal,
    ...(hasBody(request) ? { body: limited(request, bodyLimit, flow) as unknown as Readable } : {}),
  };
  try {
    return await upstream.pool.request(options);
  } catch (error) {
    if (!mayAskAgain(request, error) || signal.aborted) throw error;
    return upstream.pool.request(options);
  }
};

const isStream = ({ headers }: Dispatcher.ResponseData): boolean =>
  String(headers['content-type']).startsWith('text/event-stream');

const pass = async (
  answer: Dispatcher.ResponseData,
  response: ServerResponse,
  { opened, ownPolicy }: Forwarded,
): Promise<void> => {
  const { req: request } = response;
  const unread = !request.complete;
  const headers = answerHeaders(answer.headers, ownPolicy);
  response.writeHead(answer.statusCode, unread ? { ...headers, connection: 'close' } : headers);
  if (unread) {
    await pipeline(answer.body, response, { end: false });
    await linger(request);
    response.end();
    return;
  }
  if (!isStream(answer)) return pipeline(answer.body, response);
  // A quiet stream would otherwise keep its head back until the first event.
  response.flushHeaders();
  // Clients of a gateway that stops follow on elsewhere; what may not be had any longer is not sent to its end.
  const over = opened((why) => void (why === ends.draining ? response.end() : response.destroy()));
  await pipeline(answer.body, response).finally(over);
};

/** A problem that is still to be answered, or nothing when an answer was passed on or nobody waits for one. */
export const forward = async (
  request: IncomingMessage,
  response: ServerResponse,
  forwarded: Forwarded,
): Promise<Problem | undefined> => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const flow: Flow = {};
  try {
    const answer = await ask(request, forwarded, gone.signal, flow);
    await pass(answer, response, forwarded);
    return undefined;
  } catch (error) {
    if (response.headersSent || gone.signal.aborted || flow.failure === 'client-gone') {
      // Cut off, so that half an answer is not taken for a whole one; a stream that was ended is whole.
      if (!response.writableEnded) response.destroy();
      return undefined;
    }
    return problemFor(error, forwarded.upstream, forwarded.bodyLimit, flow);
  }
};
