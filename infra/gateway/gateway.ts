/** The one public door: is it a whole request, is it for us, who sends it; then it is passed on, signed. */
import { type KeyObject, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLeft, right } from 'fp-ts/Either';
import { sendProblem } from '../http/answer';
import { noneMatches } from '../http/etag';
import { signCaller } from '../http/identity';
import { type Problem, problem } from '../http/problem';
import type { Log } from '../ports/log';
import type { Metrics } from '../ports/metrics';
import { type Authentication, authenticate } from './authenticate';
import { forward } from './forward';
import { upstreamHeaders } from './headers';
import type { Pages } from './pages';
import { destinationOf, type UpstreamName } from './routes';
import type { RequiredScopes } from './scopes';
import { type ShieldOptions, shield } from './shield';
import type { Streams } from './streams';
import type { Upstream } from './upstream';
import { malformed } from './well-formed';

export interface GatewayOptions {
  readonly authentication: Authentication;
  readonly scopes: RequiredScopes;
  readonly upstreams: { readonly [Name in UpstreamName]: Upstream };
  readonly internalKey: KeyObject;
  readonly shield: ShieldOptions;
  readonly bodyLimit: number;
  readonly pages: Pages;
  readonly streams: Streams;
  readonly log: Log;
  readonly metrics: Metrics;
}

const idShape = /^[A-Za-z0-9._:-]{1,128}$/;

export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && idShape.test(given) ? given : randomUUID();
};

/** Answers whether the path is one of our own. */
const showPage = async (request: IncomingMessage, response: ServerResponse, pages: Pages): Promise<boolean> => {
  const [path = ''] = (request.url ?? '').split('?');
  const page = await pages(path);
  if (page === undefined) return false;
  const { status, headers, content } = page;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const refused = problem('method-not-allowed', 'Use GET, HEAD.');
    sendProblem(response, { ...refused, headers: { Allow: 'GET, HEAD' } });
    return true;
  }
  const unchanged = status === 200 && !noneMatches(request.headers['if-none-match'], headers.ETag);
  response.writeHead(unchanged ? 304 : status, headers);
  response.end(unchanged || request.method === 'HEAD' ? undefined : content);
  return true;
};

/** What is left of a refused request's body is not read: the connection ends with the answer. */
const answerUnread = (response: ServerResponse, refused: Problem): void => {
  if (!response.req.complete) response.setHeader('Connection', 'close');
  sendProblem(response, refused);
};

const send = async (options: GatewayOptions, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url = '', headers } = request;
  const requestId = String(response.getHeader('X-Request-Id'));
  const destination = destinationOf(method, url);
  if (destination === undefined) return answerUnread(response, problem('not-found', 'There is nothing at this path.'));
  const identity = destination.public
    ? right(undefined)
    : await authenticate(options.authentication, headers.authorization, options.scopes.of(method, url));
  if (isLeft(identity)) return answerUnread(response, identity.left);
  const signing = { key: options.internalKey, line: { method, target: url }, now: Date.now() };
  const forwarding = {
    requestId,
    identityHeader: signCaller({ identity: identity.right, requestId }, signing),
    protocol: options.shield.https ? ('https' as const) : ('http' as const),
    dropAuthorization: !destination.public,
  };
  const refused = await forward(request, response, {
    upstream: options.upstreams[destination.upstream],
    headers: upstreamHeaders(request, forwarding),
    bodyLimit: options.bodyLimit,
    opened: (end) => options.streams.add({ transport: 'sse', identity: identity.right, end }),
  });
  if (refused === undefined) return;
  const { code } = refused.problem;
  options.log.warn({ requestId, upstream: destination.upstream, code }, 'request could not be passed on');
  answerUnread(response, refused);
};

const handle = async (options: GatewayOptions, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.setHeader('X-Request-Id', requestIdOf(request));
  if (shield(request, response, options.shield)) return;
  const refused = malformed(request, options.bodyLimit);
  if (refused !== undefined) return answerUnread(response, refused);
  if (!(await showPage(request, response, options.pages))) await send(options, request, response);
};

export const gateway = (options: GatewayOptions): RequestListener => {
  const observe = options.metrics.histogram({
    name: 'gateway_request_seconds',
    help: 'Time until an answer was complete.',
    labels: ['method', 'status'],
  });
  return (request, response) => {
    const began = performance.now();
    response.once('close', () => {
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      observe((performance.now() - began) / 1000, { method: request.method ?? '', status });
    });
    handle(options, request, response).catch((error: unknown) => {
      options.log.error({ error, requestId: response.getHeader('X-Request-Id') }, 'defect in the gateway');
      if (response.headersSent) response.destroy();
      else sendProblem(response, problem('internal-error', 'The request could not be completed.'));
    });
  };
};
