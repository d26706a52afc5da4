/** Middleware for express and for plain Node servers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Decision, LimitRequest, Settlement, SettleOutcome } from '../decision/decision';
import type { PolicyLimiter } from '../decision/limiter';
import { type DenialResponse, denialResponse } from './denial-response';
import { limitHeaders } from './rate-limit-headers';

/** What the application adds to a request's address, method, target and announced length (`bytes`). */
export type RequestContext = Partial<LimitRequest>;

export interface RateLimitMiddlewareOptions {
  readonly limiter: Pick<PolicyLimiter, 'check' | 'reserve' | 'settle' | 'needsSettlement'>;
  /**
   * Adds the caller and the weight; takes precedence. The caller must be authenticated: a header that clients choose
   * would let them be another tenant each time.
   */
  readonly contextOf?: (request: IncomingMessage) => RequestContext | Promise<RequestContext>;
  /** Sends the denial; by default its own status, headers and body. */
  readonly sendDenial?: (response: ServerResponse, refusal: DenialResponse) => void;
}

export interface RateLimitGrant {
  readonly decision: Decision;
  /** Settles the actual weight, so far or finally; otherwise the reservation stays charged as it is. */
  readonly settle: (actual: Settlement['actual'], final?: boolean) => Promise<SettleOutcome>;
}

const grants = new WeakMap<IncomingMessage, RateLimitGrant>();

/** The grant of an admitted request. Throws on any other request: its route has no middleware. */
export const grantOf = (request: IncomingMessage): RateLimitGrant => {
  const allowance = grants.get(request);
  if (allowance === undefined) throw new TypeError('The request did not pass a limiter.');
  return allowance;
};

/** Express's request: it knows the trusted proxies and the mount path. */
interface ExpressRequest extends IncomingMessage {
  readonly ip?: string;
  readonly originalUrl?: string;
}

const maxBytes = 2 ** 40;

const lengthOf = ({ headers }: IncomingMessage): number => {
  const length = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? Math.min(length, maxBytes) : 0;
};

const createLimitRequest = (request: ExpressRequest, context: RequestContext): LimitRequest => {
  const { method = 'GET', url = '/', originalUrl = url } = request;
  const ip = request.ip ?? request.socket.remoteAddress;
  const dimensions = { ...(ip === undefined ? {} : { ip }), method, ...context.dimensions };
  const weight = { bytes: lengthOf(request), ...context.weight };
  return { target: originalUrl, ...context, dimensions, weight };
};

const sendDenial = (response: ServerResponse, { status, body }: DenialResponse): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  const type = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...type, 'Content-Length': bytes.length });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
};

/** Waits for the queueing delay, or until the client disconnects. */
const waitInQueue = (response: ServerResponse, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    if (milliseconds === 0) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    }
    response.once('close', done);
  });

const createGrant = (
  { limiter }: RateLimitMiddlewareOptions,
  decision: Decision,
  tenant: string | undefined,
): RateLimitGrant => ({
  decision,
  settle: async (actual, final = true) => {
    const { reservationId } = decision;
    if (reservationId === undefined) return 'unknown';
    return limiter.settle({ reservationId, actual, final, ...(tenant === undefined ? {} : { tenant }) });
  },
});

/** Releases the reservation when the response closes; an earlier settlement stays. */
const releaseWhenClosed = (response: ServerResponse, { decision, settle }: RateLimitGrant): void => {
  if (decision.reservationId === undefined) return;
  const done = (): void => void settle({}).catch(() => undefined);
  if (response.closed) done();
  else response.once('close', done);
};

const admit = async (options: RateLimitMiddlewareOptions, response: ServerResponse): Promise<boolean> => {
  const { limiter, contextOf, sendDenial: sendResponse = sendDenial } = options;
  const { req: request } = response;
  const limitRequest = createLimitRequest(request, (await contextOf?.(request)) ?? {});
  const decision = await (limiter.needsSettlement ? limiter.reserve(limitRequest) : limiter.check(limitRequest));
  const grant = createGrant(options, decision, limitRequest.dimensions.tenant);
  releaseWhenClosed(response, grant);
  if (response.closed) return false;
  for (const [name, value] of Object.entries(limitHeaders(decision))) response.setHeader(name, value);
  if (decision.outcome === 'deny') {
    sendResponse(response, denialResponse(decision));
    return false;
  }
  grants.set(request, grant);
  await waitInQueue(response, decision.turnMilliseconds);
  return !response.closed;
};

/**
 * For `app.use` and before a handler: `app.post('/orders', rateLimitMiddleware({ limiter, contextOf }), …)`. Calls `next`
 * when the request may go on.
 */
export const rateLimitMiddleware =
  (options: RateLimitMiddlewareOptions) =>
  (_request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    admit(options, response).then(
      (isAdmitted) => (isAdmitted ? next() : undefined),
      (error: unknown) => next(error),
    );
  };
