/** Mounts routes. Each request passes identity, scopes and input validation, in this order. */
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { isLeft } from 'fp-ts/Either';
import type { Health } from '../../../ports/runtime/health';
import type { Log } from '../../../ports/runtime/log';
import type { Tracer } from '../../../ports/runtime/trace';
import { boundedLines, type WriteLine } from '../../runtime/bounded-lines';
import type { MetricsRegistry } from '../../runtime/metrics';
import { groupBy } from '../group-by';
import type { CallerKeys } from '../identity/caller-keys';
import { type Caller, identityHeader, refuseCaller, verifyCaller } from '../identity/identity-header';
import { openApi } from '../openapi';
import { invalidInput, type Problem, problem } from '../problem';
import { type RefusalNote, refusalHeader, refusalNoteOf, writeRefusalNote } from '../refusal-note';
import { observeRequests, operational, withoutReturn } from '../server/operational-endpoints';
import { traceRequests } from '../server/request-tracing';
import { readInput } from './request-input';
import { type Answer, type BoundRoute, isTransferRoute, type RouteRequest } from './route';
import { sendAnswer, sendProblem } from './send-answer';
import { answerTransfer } from './transfer';

export interface AppOptions {
  readonly name: string;
  readonly routes: readonly BoundRoute[];
  /** Keys that may sign identity headers. */
  readonly callerKeys: CallerKeys;
  readonly log: Log;
  readonly metrics: MetricsRegistry;
  readonly trace?: Tracer | undefined;
  readonly health: () => Promise<Health>;
  /** Aborted when the service is about to drain: each connection closes after its current answer. */
  readonly leaving?: AbortSignal | undefined;
  /** Aborted when the service drains. */
  readonly signal: AbortSignal;
  readonly heartbeatMilliseconds?: number;
}

type HandledRequest = RouteRequest<unknown, unknown, unknown>;

const callerOf = (response: Response): Caller => response.locals.caller as Caller;

const identified =
  ({ callerKeys, log }: AppOptions): RequestHandler =>
  (request, response, next) => {
    const line = { method: request.method, target: request.originalUrl };
    const header = request.headers[identityHeader] as string | undefined;
    const caller = verifyCaller(header, { keys: callerKeys, line, now: Date.now() });
    if (isLeft(caller)) {
      log.warn({ reason: caller.left, method: request.method }, 'request without a valid identity header');
      return sendProblem(response, refuseCaller(caller.left));
    }
    response.locals.caller = caller.right;
    response.setHeader('X-Request-Id', caller.right.requestId);
    next();
  };

const refusal = ({ access }: BoundRoute, { identity }: Caller): Problem | undefined => {
  if (access === 'public') return undefined;
  if (identity === undefined) return problem('unauthenticated', 'Send an access token.');
  const missing = access.scopes.filter((scope) => !identity.scopes.includes(scope));
  if (missing.length === 0) return undefined;
  const refused = problem('forbidden', `The token lacks the scope ${missing.join(' ')}.`);
  const challenge = `Bearer error="insufficient_scope", scope="${access.scopes.join(' ')}"`;
  return { ...refused, headers: { 'WWW-Authenticate': challenge } };
};

/** One for all: every request ends with it, and to make one takes as long as to decode the request. */
const ended = new DOMException('The request has ended.', 'AbortError');

/** Aborted when the client goes away before the answer is complete, and when the service drains. */
const signalOf = (response: Response, draining: AbortSignal | undefined): AbortSignal => {
  const gone = new AbortController();
  const abort = (): void => gone.abort(ended);
  draining?.addEventListener('abort', abort, { once: true });
  response.once('close', () => {
    draining?.removeEventListener('abort', abort);
    abort();
  });
  if (draining?.aborted === true) abort();
  return gone.signal;
};

/** Undefined: the client is gone, so there is no answer. */
const answerOf = async (route: BoundRoute, request: Request, signal: AbortSignal): Promise<Answer | undefined> => {
  const caller = callerOf(request.res as Response);
  const refused = refusal(route, caller);
  if (refused !== undefined) return refused;
  const input = await readInput(route, request);
  if (isLeft(input)) return input.left;
  const { headers, originalUrl: target } = request;
  // The caller is known wherever the route needs one, and only `Set-Cookie`, no header of requests, may come as a list.
  const handled = { ...input.right, ...caller, headers, target, signal } as HandledRequest;
  return isTransferRoute(route) ? answerTransfer(route, request, handled) : route.handle(handled);
};

/** A challenge to a client that presented nothing yet, as Git does first, refuses no client. */
const isChallenge = ({ headers }: Request, answer: Answer): boolean =>
  headers.authorization === undefined &&
  'headers' in answer &&
  answer.headers?.['WWW-Authenticate']?.startsWith('Basic ') === true &&
  !('refused' in answer);

/** Notifies the gateway, and writes to the service's own log, why the request was refused. */
const noteRefusal = (response: Response, note: RefusalNote, writeLine: WriteLine): void => {
  const { identity, requestId } = callerOf(response);
  response.setHeader(refusalHeader, writeRefusalNote(note));
  const { method } = response.req;
  const { principalId = note.principalId, clientId = note.clientId } = identity ?? {};
  const { code, reason } = note;
  writeLine({ requestId, method, route: response.locals.route, code, reason, principalId, clientId });
};

const handlerOf =
  (
    route: BoundRoute,
    { signal: draining, heartbeatMilliseconds }: AppOptions,
    writeRefusal: WriteLine,
  ): RequestHandler =>
  async (request, response) => {
    response.locals.route = route.path;
    const signal = signalOf(response, isTransferRoute(route) ? undefined : draining);
    const answer = await answerOf(route, request, signal);
    if (answer === undefined) return void response.destroy();
    const note = refusalNoteOf(answer);
    if (note !== undefined && !isChallenge(request, answer)) noteRefusal(response, note, writeRefusal);
    const pace = heartbeatMilliseconds === undefined ? {} : { heartbeatMilliseconds };
    await sendAnswer(response, answer, { signal, ...pace });
  };

const notAllowed = (routes: readonly BoundRoute[]): RequestHandler => {
  const methods = routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  const allow = methods.sort().join(', ');
  return (_request, response) => {
    const refused = problem('method-not-allowed', `Use ${allow}.`);
    sendProblem(response, { ...refused, headers: { Allow: allow } });
  };
};

/** An escaped colon is a letter as any other, and what goes on after a parameter stands before what ends with it. */
const rankOf = (path: string): string => `${path.replaceAll('\\:', '!').replaceAll(':', '\uffff')}\uffff`;

/** Fixed segments before parameters, so that `/stream` is not taken for an id. */
const inOrder = (one: string, other: string): number => (rankOf(one) < rankOf(other) ? -1 : 1);

const mount = (app: Express, options: AppOptions): void => {
  const byPath = groupBy(options.routes, ({ path }) => path);
  const writeRefusal = boundedLines((fields) => options.log.info(fields, 'request refused'));
  for (const path of [...byPath.keys()].sort(inOrder)) {
    const routes = byPath.get(path) ?? [];
    const mounted = app.route(path);
    for (const route of routes) mounted[route.method](handlerOf(route, options, writeRefusal));
    mounted.all(notAllowed(routes));
  }
};

const failed =
  ({ log }: AppOptions): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    if (error instanceof URIError)
      return sendProblem(response, invalidInput([{ pointer: '/params', expected: 'percent-encoded UTF-8' }]));
    const { requestId } = callerOf(response);
    log.error({ error, requestId, method: request.method, route: response.locals.route }, 'defect in a route');
    if (response.headersSent) return void response.destroy();
    sendProblem(response, problem('internal-error', 'The request could not be completed; nothing more is known.'));
  };

export const httpApp = (options: AppOptions): RequestListener => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  // Paths are matched exactly, because the gateway selects limits and services by them.
  app.enable('case sensitive routing').enable('strict routing');
  app.use(withoutReturn(options), observeRequests(options.metrics), operational(options));
  app.use(identified(options));
  if (options.trace !== undefined) app.use(traceRequests(options.trace));
  const documentation = openApi(options.name, options.routes);
  // Gateways poll it every few seconds, and it changes with the code only.
  const etag = `"${createHash('sha256').update(JSON.stringify(documentation)).digest('base64url')}"`;
  const described = { status: 200, body: documentation, headers: { ETag: etag } };
  app.get('/openapi.json', (_request, response) => sendAnswer(response, described, options));
  mount(app, options);
  app.use((_request, response) => sendProblem(response, problem('not-found', 'No resource exists at this path.')));
  app.use(failed(options));
  return app;
};
