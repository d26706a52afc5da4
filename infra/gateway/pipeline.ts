/**
 * The gateway's request pipeline: it validates, routes, authenticates and rate-limits a request, then forwards it with a signed identity
 * header.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLeft, right } from 'fp-ts/Either';
import type { Log } from '../ports/runtime/log';
import type { Metrics } from '../ports/runtime/metrics';
import { type Problem, problem } from '../server/http/problem';
import { isClosing } from '../server/http/server/lingering-close';
import type { AuthEventRecorder } from './auth-events/auth-event-recorder';
import type { Authentication } from './authentication/authenticate';
import { setDpopNonce } from './authentication/authenticate';
import { checkRevocationFreshness } from './authentication/revocation-freshness';
import type { Console } from './bff/console';
import { identifyCaller } from './bff/session-authentication';
import type { LocalPages } from './docs/local-pages';
import { serveLocalPage } from './docs/local-pages';
import { sendError } from './error-response';
import type { ExtAuthz } from './ext-authz';
import type { PlatformHealthHandler } from './health/platform-health';
import type { LoopbackRedirect } from './loopback-redirect';
import { createGatewayMetrics, type GatewayMetrics } from './metrics';
import type { ModelProxy } from './models/handler';
import type { PolicyCheck } from './policy/policy-check';
import { routeAction } from './policy/policy-request';
import { forward } from './proxy/forward';
import { type ForwardingOptions, identityForwardingHeaders, responseHeaderRulesFor } from './proxy/headers';
import { type Upstreams, upstreamFor } from './proxy/upstreams';
import type { CallerRegistry } from './rate-limit/caller-registry';
import { enforceWithMetrics } from './rate-limit/enforce';
import type { FailureLimiter } from './rate-limit/failure-limiter';
import { rejectFailedRequest, rejectThrottled } from './rate-limit/failure-limiter';
import type { RateLimit, RateLimitRequest } from './rate-limit/rate-limiter';
import { carriesClientId, isSessionPath } from './rate-limit/route-groups';
import { noteRefusal, verifiedCallerNote } from './refusals/refusal-notes';
import type { RefusalReporter } from './refusals/refusal-reporter';
import { declaredMatch } from './routing/declared-operations';
import { type Destination, resolveDestination } from './routing/destinations';
import { findRoute, type RouteMatch, type RouteTable, requiredScopesOf } from './routing/route-table';
import { applySecurityHeaders, requestIdOf } from './security-headers';
import type { StepUp } from './step-up/step-up';
import type { StreamRegistry } from './stream-registry';
import { requestLimitsFor, validateRequest } from './validate-request';

export interface GatewayOptions extends ForwardingOptions {
  /** Aborted before the gateway drains: responses then close their connections. */
  readonly leaving?: AbortSignal;
  readonly authentication: Authentication;
  readonly routes: RouteTable;
  readonly upstreams: Upstreams;
  readonly bodyLimit: number;
  readonly pages: LocalPages;
  /** Console pages and browser sessions. */
  readonly console?: Console;
  readonly loopbackRedirect?: LoopbackRedirect;
  /** Resolves client addresses behind trusted proxies. */
  readonly resolveClientAddress: (request: IncomingMessage) => void;
  /** Check requests of other proxies. */
  readonly extAuthz?: ExtAuthz | undefined;
  /** Served by the gateway, because it must not depend on the services that it reports. */
  readonly platformHealth?: PlatformHealthHandler;
  /** Proxy to the model service. */
  readonly models?: ModelProxy | undefined;
  readonly streams: StreamRegistry;
  /** Without it there are no rate limits. */
  readonly rateLimit?: RateLimit;
  /** Distinguishes callers before authentication. */
  readonly callers?: CallerRegistry | undefined;
  readonly failures?: FailureLimiter | undefined;
  readonly refusals?: RefusalReporter | undefined;
  /** Without it, authorization decisions are not recorded. */
  readonly authEvents?: AuthEventRecorder | undefined;
  /** Policies of tenants; without it there are none. */
  readonly checkPolicy?: PolicyCheck | undefined;
  /** Uses up capabilities of what the policy let pass by them; without it there are none. */
  readonly stepUp?: StepUp | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
}

interface Pipeline extends GatewayOptions {
  readonly gatewayMetrics: GatewayMetrics;
}

const sendRefusal = (pipeline: Pipeline, response: ServerResponse, refused: Problem): void => {
  if (rejectFailedRequest(pipeline, response, refused.problem.status)) return;
  pipeline.gatewayMetrics.decided('refused', refused.problem.code);
  sendError(response, refused);
};

/** The rate limit request of a caller that is not authenticated yet. */
const unauthenticatedRequestOf = ({ callers }: Pipeline, request: IncomingMessage): RateLimitRequest => {
  const caller = callers?.of(request);
  if (callers === undefined || caller === undefined) return {};
  return {
    key: callers.limitKeyOf(caller),
    isProven: callers.isProven(caller),
    client: callers.knownClientOf(caller),
  };
};

const unknownRoute = (match: RouteMatch): Problem | undefined => {
  switch (match.kind) {
    case 'not-found':
      return problem('not-found', 'No resource exists at this path.');
    case 'method-not-allowed':
      return { ...problem('method-not-allowed', `Use ${match.allow}.`), headers: { Allow: match.allow } };
    case 'route':
    case 'unlearnt':
      return undefined;
  }
};

const matchOf = async (
  { upstreams, routes }: Pipeline,
  destination: Destination,
  request: IncomingMessage,
): Promise<RouteMatch> => {
  const service = upstreams[destination.upstream];
  return (
    declaredMatch(destination, request.method ?? '') ??
    (service === undefined
      ? { kind: 'not-found' }
      : findRoute(routes, {
          upstream: service,
          all: Object.values(upstreams).filter((one) => one !== undefined),
          request,
        }))
  );
};

const routeToUpstream = async (
  options: Pipeline,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { method = '', url = '' } = request;
  const requestId = String(response.getHeader('X-Request-Id'));
  const destination = resolveDestination(method, url);
  const upstream = destination === undefined ? undefined : upstreamFor(options.upstreams, destination);
  if (destination === undefined || upstream === undefined)
    return sendRefusal(options, response, problem('not-found', 'No resource exists at this path.'));
  const match = await matchOf(options, destination, request);
  const identity =
    destination.authenticatedBy === 'service'
      ? right(undefined)
      : await identifyCaller({ ...options.console, authentication: options.authentication }, request, {
          requestId,
          required: requiredScopesOf(match),
        });
  if (options.platformHealth?.is(url) !== true) options.stepUp?.expect(request);
  const refusedCaller = isLeft(identity)
    ? identity.left
    : (checkRevocationFreshness(match, method, options.authentication.revocations) ??
      (identity.right && (await options.checkPolicy?.(request, identity.right, routeAction(match)))));
  // A capability is a decision of its own, by the body.
  const isPending = options.stepUp?.isPending(request) === true;
  if (destination.authenticatedBy !== 'service' && !isPending) options.authEvents?.decided(request, refusedCaller);
  if (isLeft(identity)) return sendRefusal(options, response, identity.left);
  if (refusedCaller !== undefined) return sendRefusal(options, response, refusedCaller);
  setDpopNonce(response, options.authentication);
  const limitGroup = match.kind === 'route' ? match.route.limitGroup : undefined;
  const entering = { identity: identity.right, limitGroup };
  const unknown = unknownRoute(match);
  if (unknown !== undefined) {
    // Unknown routes count towards the limits of the authenticated caller.
    if (await enforceWithMetrics(options, response, entering)) sendRefusal(options, response, unknown);
    return;
  }
  if (options.platformHealth?.is(url)) {
    if (!(await enforceWithMetrics(options, response, entering))) return;
    return options.platformHealth.answer(request, response, identity.right);
  }
  const refused = await forward(response, {
    upstream,
    headers: identityForwardingHeaders(options, request, { identity: identity.right, requestId, destination }),
    bodyLimit: requestLimitsFor(request, options.bodyLimit).body,
    transfer: destination.transfer,
    namesReaders: destination.readableFrom === 'service' && (method === 'GET' || method === 'HEAD'),
    admitsByBody: carriesClientId(url) || isPending,
    ...responseHeaderRulesFor(destination, options, request),
    admit: async (body) => {
      // OAuth clients may identify themselves in the form body.
      if (carriesClientId(url)) options.callers?.of(request, body);
      if (carriesClientId(url) && rejectThrottled(options, response)) return false;
      const isKnown = identity.right !== undefined;
      const entered = await enforceWithMetrics(
        options,
        response,
        isKnown ? entering : { ...unauthenticatedRequestOf(options, request), limitGroup },
      );
      if (!entered) return false;
      const refused = await options.stepUp?.redeem(response, body);
      if (isPending) options.authEvents?.decided(request, refused);
      if (refused !== undefined) {
        sendRefusal(options, response, refused);
        return false;
      }
      options.gatewayMetrics.decided('forwarded', destination.upstream);
      return true;
    },
    refused: (note) => {
      if (note !== undefined) noteRefusal(request, note);
      if (identity.right !== undefined) noteRefusal(request, verifiedCallerNote(identity.right));
    },
    opened: (end) => options.streams.add({ transport: 'sse', identity: identity.right, end }),
  });
  if (refused === undefined) return;
  const { code } = refused.problem;
  options.gatewayMetrics.decided('failed', code);
  options.log.warn({ requestId, upstream: destination.upstream, code }, 'request could not be forwarded');
  sendError(response, refused);
};

const handleRequest = async (options: Pipeline, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.setHeader('X-Request-Id', requestIdOf(request));
  if (options.leaving?.aborted === true) response.setHeader('Connection', 'close');
  const { decided } = options.gatewayMetrics;
  const checks = options.extAuthz?.is(request) === true ? options.extAuthz : undefined;
  // A 2xx response to a check request allows the checked request, so preflights are not answered here.
  if (
    applySecurityHeaders(
      request,
      response,
      checks === undefined ? options.shield : { ...options.shield, preflights: false },
    )
  )
    return decided('answered', 'shield');
  const { url = '' } = request;
  const limits = requestLimitsFor(request, options.bodyLimit);
  // Failed check requests count against the proxy's clients, not the proxy.
  if (checks === undefined) options.failures?.observe(response);
  options.refusals?.observe(response);
  const refused =
    validateRequest(request, checks !== undefined ? { ...limits, anyMethod: true } : limits) ??
    (await checks?.answer(request, response));
  if (refused !== undefined) return sendRefusal(options, response, refused);
  if (checks !== undefined) return decided('answered', 'ext-authz');
  const elsewhere = options.loopbackRedirect?.(request);
  if (elsewhere !== undefined) {
    response.writeHead(307, { Location: elsewhere, 'Cache-Control': 'no-store' }).end();
    return decided('answered', 'page');
  }
  const models = options.models?.is(url) === true ? options.models : undefined;
  if ((isSessionPath(url) || models !== undefined) && rejectThrottled(options, response)) return;
  if (isSessionPath(url) && !(await enforceWithMetrics(options, response, unauthenticatedRequestOf(options, request))))
    return;
  if (models !== undefined) return decided(...(await models.serve(request, response)));
  if (await options.console?.serve(request, response)) return decided('answered', 'console');
  if (await serveLocalPage(request, response, options.pages)) return decided('answered', 'page');
  if (!carriesClientId(url) && rejectThrottled(options, response)) return;
  await routeToUpstream(options, request, response);
};

export const createGateway = (options: GatewayOptions): RequestListener => {
  const pipeline = { ...options, gatewayMetrics: createGatewayMetrics(options.metrics) };
  return (request, response) => {
    if (isClosing(request.socket)) return;
    options.resolveClientAddress(request);
    pipeline.gatewayMetrics.timed(response);
    handleRequest(pipeline, request, response).catch((error: unknown) => {
      options.log.error({ error, requestId: response.getHeader('X-Request-Id') }, 'defect in the gateway');
      if (response.headersSent) response.destroy();
      else sendError(response, problem('internal-error', 'The request could not be completed.'));
    });
  };
};
