/** The one public door: is it a whole request, is it for us, who sends it; then it is passed on, signed. */
import { type KeyObject, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLeft, right } from 'fp-ts/Either';
import { sendProblem } from '../http/answer';
import { noneMatches } from '../http/etag';
import { signCaller } from '../http/identity';
import { answerUnread, isEnding } from '../http/linger';
import { type Problem, problem } from '../http/problem';
import type { Log } from '../ports/log';
import type { Metrics } from '../ports/metrics';
import type { Tracer } from '../ports/trace';
import type { Authentication } from './authenticate';
import type { Console } from './console';
import { type DoorFigures, doorFigures } from './figures';
import { forward } from './forward';
import { upstreamHeaders } from './headers';
import { limitsOf } from './limits';
import type { Pages } from './pages';
import type { HealthDoor } from './platform-health';
import { destinationOf, type UpstreamName } from './routes';
import type { RequiredScopes } from './scopes';
import { identify } from './session-caller';
import { type ShieldOptions, shield } from './shield';
import type { Streams } from './streams';
import type { Upstream } from './upstream';
import { malformed } from './well-formed';

/** Undefined where blobs lie in a bucket, which has an address of its own. */
export type Upstreams = { readonly [Name in Exclude<UpstreamName, 'blobs'>]: Upstream } & {
  readonly blobs: Upstream | undefined;
};

export interface GatewayOptions {
  /** Aborted when the gateway is about to drain: connections are given up as their answers are sent. */
  readonly leaving?: AbortSignal;
  readonly authentication: Authentication;
  readonly scopes: RequiredScopes;
  readonly upstreams: Upstreams;
  readonly internalKey: KeyObject;
  readonly shield: ShieldOptions;
  readonly bodyLimit: number;
  readonly pages: Pages;
  /** Pages for people, and the sessions of their browsers. */
  readonly console?: Console;
  /** Answered here: it must not depend on what it tells of. */
  readonly platformHealth?: HealthDoor;
  readonly streams: Streams;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly trace?: Tracer | undefined;
}

interface Door extends GatewayOptions {
  readonly figures: DoorFigures;
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

const refuse = ({ figures }: Door, response: ServerResponse, refused: Problem): void => {
  figures.decided('refused', refused.problem.code);
  answerUnread(response, refused);
};

const send = async (options: Door, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url = '' } = request;
  const requestId = String(response.getHeader('X-Request-Id'));
  const destination = destinationOf(method, url);
  const upstream = destination === undefined ? undefined : options.upstreams[destination.upstream];
  if (destination === undefined || upstream === undefined)
    return refuse(options, response, problem('not-found', 'There is nothing at this path.'));
  const identity = destination.public
    ? right(undefined)
    : await identify({ ...options.console, authentication: options.authentication }, request, {
        requestId,
        required: options.scopes.of(method, url),
      });
  if (isLeft(identity)) return refuse(options, response, identity.left);
  if (options.platformHealth?.is(url)) return options.platformHealth.answer(request, response, identity.right);
  const blobs = destination.upstream === 'blobs';
  const signing = { key: options.internalKey, line: { method, target: url }, now: Date.now() };
  const forwarding = {
    requestId,
    identityHeader: signCaller({ identity: identity.right, requestId }, signing),
    protocol: options.shield.https ? ('https' as const) : ('http' as const),
    dropAuthorization: !destination.public || blobs,
    traceparent: options.trace?.current()?.traceparent,
  };
  options.figures.decided('forwarded', destination.upstream);
  const refused = await forward(response, {
    upstream,
    headers: upstreamHeaders(request, forwarding),
    bodyLimit: limitsOf(url, options.bodyLimit).body,
    ownPolicy: blobs,
    opened: (end) => options.streams.add({ transport: 'sse', identity: identity.right, end }),
  });
  if (refused === undefined) return;
  const { code } = refused.problem;
  options.figures.decided('failed', code);
  options.log.warn({ requestId, upstream: destination.upstream, code }, 'request could not be passed on');
  answerUnread(response, refused);
};

const handle = async (options: Door, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.setHeader('X-Request-Id', requestIdOf(request));
  if (options.leaving?.aborted === true) response.setHeader('Connection', 'close');
  const { decided } = options.figures;
  if (shield(request, response, options.shield)) return decided('answered', 'shield');
  const refused = malformed(request, limitsOf(request.url ?? '', options.bodyLimit));
  if (refused !== undefined) return refuse(options, response, refused);
  if (await options.console?.serve(request, response)) return decided('answered', 'console');
  if (await showPage(request, response, options.pages)) return decided('answered', 'page');
  await send(options, request, response);
};

export const gateway = (options: GatewayOptions): RequestListener => {
  const door = { ...options, figures: doorFigures(options.metrics) };
  return (request, response) => {
    if (isEnding(request.socket)) return;
    door.figures.timed(response);
    handle(door, request, response).catch((error: unknown) => {
      options.log.error({ error, requestId: response.getHeader('X-Request-Id') }, 'defect in the gateway');
      if (response.headersSent) response.destroy();
      else sendProblem(response, problem('internal-error', 'The request could not be completed.'));
    });
  };
};
