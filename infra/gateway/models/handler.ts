/**
 * /llm: authenticates the caller, reserves the estimated usage, proxies the call, and settles the actual usage. The caller's token is not
 * forwarded.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import {
  beginModelCall,
  denialResponse,
  type Limiter,
  type LimitRequest,
  limitHeaders,
  type ModelApi,
  type ModelCall,
  type ModelCallOptions,
  type ModelCallStart,
  type ModelRequest,
  readModelRequest,
} from '../../../packages/ratelimit/src/index';
import type { Log } from '../../ports/runtime/log';
import { type Problem, problem } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import type { AuthEventRecorder } from '../auth-events/auth-event-recorder';
import { setDpopNonce } from '../authentication/authenticate';
import { clientAddressOf } from '../authentication/client-address';
import { type IdentifyOptions, identifyCaller } from '../bff/session-authentication';
import { sendError } from '../error-response';
import type { PolicyCheck } from '../policy/policy-check';
import { enforceRateLimit } from '../rate-limit/enforce';
import type { RateLimit } from '../rate-limit/rate-limiter';
import type { StreamRegistry } from '../stream-registry';
import { modelRefusal } from './errors';
import type { ModelMetrics } from './metrics';
import { type ProxyCall, type ProxyResult, proxyModelCall } from './proxy';
import type { ReadModelBody } from './request-body';
import { isModelPath, type ModelRoute, modelRouteOf } from './routes';
import type { ModelUpstream } from './upstream';

export interface ModelRequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: ModelRoute;
  readonly identity: Identity;
  readonly requestId: string;
}

const modelLimitRequest = ({
  request,
  route,
  identity,
  requestId,
}: ModelRequestContext): Omit<LimitRequest, 'weight'> => ({
  requestId,
  dimensions: {
    tenant: identity.tenantId,
    user: identity.principalId,
    ip: clientAddressOf(request),
    method: route.method,
    route: route.api ?? 'models',
    ...(identity.clientId === undefined ? {} : { key: identity.clientId }),
  },
});

/** Sets the rate limit headers. Sends a refusal, or waits for the turn of an allowed call. */
const admitCall = async (response: ServerResponse, { decision, call: modelCall }: ModelCallStart): Promise<boolean> => {
  for (const [name, value] of Object.entries(limitHeaders(decision))) response.setHeader(name, value);
  if (decision.outcome === 'deny') {
    const refused = denialResponse(decision);
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...refused.headers };
    response.writeHead(refused.status, headers);
    response.end(JSON.stringify(modelRefusal(refused, decision.limits.find(({ over }) => over)?.unit)));
    return false;
  }
  if (decision.turnMilliseconds > 0) await sleep(decision.turnMilliseconds);
  if (!response.destroyed) return true;
  await modelCall?.ended('broken');
  return false;
};

/** Outcome for the gateway's metrics. */
export type ModelRequestOutcome = readonly ['forwarded' | 'refused' | 'failed', reason: string];

export interface ModelProxy {
  readonly is: (target: string) => boolean;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<ModelRequestOutcome>;
  /** Resolves when all finished calls are settled. */
  readonly close: () => Promise<void>;
}

export interface ModelProxyOptions extends IdentifyOptions, Omit<ModelCallOptions, 'limiter'> {
  readonly limiter: Pick<Limiter, 'check' | 'reserve' | 'settle'>;
  readonly upstream: ModelUpstream;
  readonly readBody: ReadModelBody;
  /** The gateway's own limits, checked first because they need no body. */
  readonly rateLimit?: RateLimit | undefined;
  readonly authEvents?: AuthEventRecorder | undefined;
  readonly checkPolicy?: PolicyCheck | undefined;
  readonly streams: Pick<StreamRegistry, 'add'>;
  readonly metrics: ModelMetrics;
  readonly log: Log;
}

/** Settlements in progress. */
interface ModelProxyContext extends ModelProxyOptions {
  readonly settling: Set<Promise<void>>;
}

const requiredScopes = ['models:use'];
/** Route group in the gateway's policy. */
const routeGroup = 'command';

const sendModelRefusal = (response: ServerResponse, refused: Problem): ModelRequestOutcome => {
  sendError(response, refused);
  return ['refused', refused.problem.code];
};

const clientGone: ModelRequestOutcome = ['refused', 'client-gone'];

const settleCall = async (
  { metrics: modelMetrics, log }: ModelProxyOptions,
  modelCall: ModelCall | undefined,
  { how }: ProxyResult,
): Promise<void> => {
  modelMetrics.answered(how);
  if (modelCall === undefined) return;
  try {
    modelMetrics.settled(await modelCall.ended(how));
  } catch (error) {
    log.error({ error }, 'tokens could not be settled');
  }
};

type ModelCallInput = Pick<ProxyCall, 'body' | 'call'>;

const proxyAndSettle = async (
  options: ModelProxyContext,
  asking: ModelRequestContext,
  sent: ModelCallInput,
): Promise<ModelRequestOutcome> => {
  const { upstream, streams, log } = options;
  const { response, identity, route, requestId } = asking;
  const opened: ProxyCall['opened'] = (end) => streams.add({ transport: 'sse', identity, end });
  const passed = await proxyModelCall(response, { upstream, route, requestId, opened, ...sent });
  const settled = settleCall(options, sent.call, passed).finally(() => options.settling.delete(settled));
  options.settling.add(settled);
  const { refused, fault } = passed;
  if (refused === undefined) return ['forwarded', 'models'];
  if (fault === undefined) log.warn({ requestId, code: refused.problem.code }, 'the model service did not answer');
  else log.error({ requestId, status: fault }, 'the model service refuses the account that is used for it');
  sendError(response, refused);
  return ['failed', refused.problem.code];
};

const generateCompletion = async (
  options: ModelProxyContext,
  asking: ModelRequestContext,
  api: ModelApi,
): Promise<ModelRequestOutcome> => {
  const { request, response } = asking;
  const over = new Promise((resolve) => response.once('close', resolve));
  const body = await options.readBody(request, over);
  if (isLeft(body)) return body.left === 'left' ? clientGone : sendModelRefusal(response, body.left);
  const modelRequest = readModelRequest(api, body.right.content, options);
  if (modelRequest === undefined)
    return sendModelRefusal(response, problem('malformed-body', 'The body must be an object.'));
  const begun = await beginModelCall(options, modelRequest, modelLimitRequest(asking));
  options.metrics.decided(begun.decision, modelRequest.weight);
  if (!(await admitCall(response, begun))) return ['refused', begun.decision.reason ?? 'client-gone'];
  return proxyAndSettle(options, asking, { body: body.right.bytes, call: begun.call });
};

/** Listing models uses no tokens, but counts as a concurrent call. */
const listingCall: ModelRequest = { model: undefined, streams: false, weight: {} };

const listModels = async (options: ModelProxyContext, asking: ModelRequestContext): Promise<ModelRequestOutcome> => {
  const begun = await beginModelCall(options, listingCall, modelLimitRequest(asking));
  options.metrics.decided(begun.decision);
  if (!(await admitCall(asking.response, begun))) return ['refused', begun.decision.reason ?? 'client-gone'];
  return proxyAndSettle(options, asking, { body: undefined, call: begun.call });
};

const handleModelRequest = async (
  options: ModelProxyContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ModelRequestOutcome> => {
  const requestId = String(response.getHeader('X-Request-Id'));
  const route = modelRouteOf(request.url ?? '');
  if (route === undefined) return sendModelRefusal(response, problem('not-found', 'No resource exists at this path.'));
  if (request.method !== route.method) {
    const refused = problem('method-not-allowed', `Use ${route.method}.`);
    return sendModelRefusal(response, { ...refused, headers: { Allow: route.method } });
  }
  const identity = await identifyCaller(options, request, { requestId, required: requiredScopes });
  const refused = isLeft(identity)
    ? identity.left
    : await options.checkPolicy?.(request, identity.right, { scopes: requiredScopes, routeGroup });
  options.authEvents?.decided(request, refused);
  if (isLeft(identity)) return sendModelRefusal(response, identity.left);
  if (refused !== undefined) return sendModelRefusal(response, refused);
  setDpopNonce(response, options.authentication);
  const entered = await enforceRateLimit(options.rateLimit, response, { identity: identity.right, route: routeGroup });
  if (!entered) return ['refused', 'rate-limited'];
  const asking = { request, response, route, identity: identity.right, requestId };
  return route.api === undefined ? listModels(options, asking) : generateCompletion(options, asking, route.api);
};

export const createModelProxy = (options: ModelProxyOptions): ModelProxy => {
  const context = { ...options, settling: new Set<Promise<void>>() };
  return {
    is: isModelPath,
    serve: (request, response) => handleModelRequest(context, request, response),
    close: async () => void (await Promise.all(context.settling)),
  };
};
