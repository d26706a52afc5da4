/** The one public door: is it a whole request, is it for us, who sends it; then it is passed on, signed. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLeft, right } from 'fp-ts/Either';
import { isEnding } from '../http/linger';
import { type Problem, problem } from '../http/problem';
import type { Log } from '../ports/log';
import type { Metrics } from '../ports/metrics';
import type { Authentication } from './authenticate';
import type { Callers } from './callers';
import type { Console } from './console';
import { giveNonce } from './credentials';
import type { ExtAuthz } from './ext-authz';
import { type DoorFigures, doorFigures } from './figures';
import { forward } from './forward';
import { behindOf, type ForwardingOptions, forwardedHeaders } from './forwarding';
import { findRoute, type LearntRoutes, type RouteMatch, scopesOf } from './learnt-routes';
import { limitsOf } from './limits';
import type { LoopbackRedirect } from './loopback-names';
import type { Models } from './models';
import type { Pages } from './pages';
import type { HealthDoor } from './platform-health';
import type { Limited, RateLimit } from './rate-limit';
import { mayEnter } from './rate-limit-door';
import type { Failures } from './rate-limit-failures';
import { refuseFailure, refuseFlood } from './rate-limit-flood';
import { isSession, namesClient } from './rate-limit-routes';
import { answerRefused } from './refused';
import { requestIdOf } from './request-id';
import { type Destination, destinationOf } from './routes';
import { staleFor } from './sensitive';
import { identify } from './session-caller';
import { shield } from './shield';
import { showPage } from './show-page';
import type { Streams } from './streams';
import { type Upstreams, upstreamFor } from './upstreams';
import { malformed } from './well-formed';

export interface GatewayOptions extends ForwardingOptions {
  /** Aborted when the gateway is about to drain: connections are given up as their answers are sent. */
  readonly leaving?: AbortSignal;
  readonly authentication: Authentication;
  readonly routes: LearntRoutes;
  readonly upstreams: Upstreams;
  readonly bodyLimit: number;
  readonly pages: Pages;
  /** Pages for people, and the sessions of their browsers. */
  readonly console?: Console;
  readonly loopbackRedirect?: LoopbackRedirect;
  /** Sees who asks through proxies that are believed. */
  readonly locate?: (request: IncomingMessage) => void;
  /** Requests that another proxy has taken, and asks about. */
  readonly extAuthz?: ExtAuthz | undefined;
  /** Answered here: it must not depend on what it tells of. */
  readonly platformHealth?: HealthDoor;
  /** The way to a service that models run in. */
  readonly models?: Models | undefined;
  readonly streams: Streams;
  /** Without these nothing is limited. */
  readonly rateLimit?: RateLimit;
  /** What tells callers apart before they are known. */
  readonly callers?: Callers | undefined;
  readonly failures?: Failures | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
}

interface Door extends GatewayOptions {
  readonly figures: DoorFigures;
}

const refuse = (door: Door, response: ServerResponse, refused: Problem): void => {
  if (refuseFailure(door, response, refused.problem.status)) return;
  door.figures.decided('refused', refused.problem.code);
  answerRefused(response, refused);
};

/** As limits see a caller that is not known yet. */
const strangerOf = ({ callers }: Door, request: IncomingMessage): Limited => {
  const caller = callers?.of(request);
  if (callers === undefined || caller === undefined) return {};
  return { key: callers.limitKeyOf(caller), isProven: callers.isProven(caller) };
};

const unknownRoute = (match: RouteMatch): Problem | undefined => {
  switch (match.kind) {
    case 'not-found':
      return problem('not-found', 'There is nothing at this path.');
    case 'method-not-allowed':
      return { ...problem('method-not-allowed', `Use ${match.allow}.`), headers: { Allow: match.allow } };
    case 'route':
    case 'unlearnt':
      return undefined;
  }
};

/** Blobs are known by their signed addresses, not by routes. */
const blobMatch: RouteMatch = { kind: 'route', route: { scopes: [], sensitive: false, limitGroup: undefined } };

const matchOf = async (options: Door, { upstream }: Destination, request: IncomingMessage): Promise<RouteMatch> => {
  const service = options.upstreams[upstream];
  if (upstream === 'blobs') return blobMatch;
  return service === undefined ? { kind: 'not-found' } : findRoute(options.routes, service, request);
};

const send = async (options: Door, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url = '' } = request;
  const requestId = String(response.getHeader('X-Request-Id'));
  const destination = destinationOf(method, url);
  const upstream = destination === undefined ? undefined : upstreamFor(options.upstreams, destination);
  if (destination === undefined || upstream === undefined)
    return refuse(options, response, problem('not-found', 'There is nothing at this path.'));
  const match = await matchOf(options, destination, request);
  const identity = destination.public
    ? right(undefined)
    : await identify({ ...options.console, authentication: options.authentication }, request, {
        requestId,
        required: scopesOf(match),
      });
  if (isLeft(identity)) return refuse(options, response, identity.left);
  const stale = staleFor(match, method, options.authentication.revocations);
  if (stale !== undefined) return refuse(options, response, stale);
  giveNonce(response, options.authentication);
  const limitGroup = match.kind === 'route' ? match.route.limitGroup : undefined;
  const entering = { identity: identity.right, limitGroup };
  const unknown = unknownRoute(match);
  if (unknown !== undefined) {
    // Counted as any request: what somebody known asks for in vain is theirs.
    if (await mayEnter(options, response, entering)) refuse(options, response, unknown);
    return;
  }
  if (options.platformHealth?.is(url)) {
    if (!(await mayEnter(options, response, entering))) return;
    return options.platformHealth.answer(request, response, identity.right);
  }
  const refused = await forward(response, {
    upstream,
    headers: forwardedHeaders(options, request, { identity: identity.right, requestId, destination }),
    bodyLimit: limitsOf(url, options.bodyLimit).body,
    ...behindOf(destination),
    admit: async (body) => {
      // Clients say in the body who they are.
      if (namesClient(url)) options.callers?.of(request, body);
      if (namesClient(url) && refuseFlood(options, response)) return false;
      const isKnown = identity.right !== undefined;
      const entered = await mayEnter(
        options,
        response,
        isKnown ? entering : { ...strangerOf(options, request), limitGroup },
      );
      if (entered) options.figures.decided('forwarded', destination.upstream);
      return entered;
    },
    opened: (end) => options.streams.add({ transport: 'sse', identity: identity.right, end }),
  });
  if (refused === undefined) return;
  const { code } = refused.problem;
  options.figures.decided('failed', code);
  options.log.warn({ requestId, upstream: destination.upstream, code }, 'request could not be passed on');
  answerRefused(response, refused);
};

const handle = async (options: Door, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.setHeader('X-Request-Id', requestIdOf(request));
  if (options.leaving?.aborted === true) response.setHeader('Connection', 'close');
  const { decided } = options.figures;
  const checks = options.extAuthz?.is(request) === true ? options.extAuthz : undefined;
  // Any answer that is no refusal lets what a proxy asks about go on.
  if (shield(request, response, checks === undefined ? options.shield : { ...options.shield, preflights: false }))
    return decided('answered', 'shield');
  const { url = '' } = request;
  const limits = limitsOf(url, options.bodyLimit);
  // What another proxy asks about is its clients' failure, not its own.
  if (checks === undefined) options.failures?.watch(response);
  const refused =
    malformed(request, checks !== undefined ? { ...limits, anyMethod: true } : limits) ??
    (await checks?.answer(request, response));
  if (refused !== undefined) return refuse(options, response, refused);
  if (checks !== undefined) return decided('answered', 'ext-authz');
  const elsewhere = options.loopbackRedirect?.(request);
  if (elsewhere !== undefined) {
    response.writeHead(307, { Location: elsewhere, 'Cache-Control': 'no-store' }).end();
    return decided('answered', 'page');
  }
  const models = options.models?.is(url) === true ? options.models : undefined;
  if ((isSession(url) || models !== undefined) && refuseFlood(options, response)) return;
  if (isSession(url) && !(await mayEnter(options, response, strangerOf(options, request)))) return;
  if (models !== undefined) return decided(...(await models.serve(request, response)));
  if (await options.console?.serve(request, response)) return decided('answered', 'console');
  if (await showPage(request, response, options.pages)) return decided('answered', 'page');
  if (!namesClient(url) && refuseFlood(options, response)) return;
  await send(options, request, response);
};

export const gateway = (options: GatewayOptions): RequestListener => {
  const door = { ...options, figures: doorFigures(options.metrics) };
  return (request, response) => {
    if (isEnding(request.socket)) return;
    options.locate?.(request);
    door.figures.timed(response);
    handle(door, request, response).catch((error: unknown) => {
      options.log.error({ error, requestId: response.getHeader('X-Request-Id') }, 'defect in the gateway');
      if (response.headersSent) response.destroy();
      else answerRefused(response, problem('internal-error', 'The request could not be completed.'));
    });
  };
};
