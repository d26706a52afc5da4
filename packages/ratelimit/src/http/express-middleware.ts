/** The limiter before a handler: for express, and for a plain server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Decision, LimitRequest, SettleOutcome, Settling } from '../decision/decision';
import type { PolicyLimiter } from '../decision/limiter';
import { type DenialResponse, denialResponse } from './denial-response';
import { limitHeaders } from './rate-limit-headers';

/** What is known of a request without asking: its address, method, target and, as `bytes`, its announced length. */
export type RequestContext = Partial<LimitRequest>;

export interface RateLimitMiddlewareOptions {
  readonly limiter: Pick<PolicyLimiter, 'check' | 'reserve' | 'settle' | 'settles'>;
  /**
   * Whose request it is and what it weighs, besides what is known without asking; what it says counts. Whose it is must have been proved:
   * a header that callers choose would make them another tenant each time.
   */
  readonly about?: (request: IncomingMessage) => RequestContext | Promise<RequestContext>;
  /** Answers a denied request; with the refusal's own status, headers and body when left out. */
  readonly refuse?: (response: ServerResponse, refusal: DenialResponse) => void;
}

export interface RateLimitGrant {
  readonly decision: Decision;
  /** What the request came to, so far or in the end; else it stays as it was reserved. */
  readonly settle: (actual: Settling['actual'], final?: boolean) => Promise<SettleOutcome>;
}

const grants = new WeakMap<IncomingMessage, RateLimitGrant>();

/** Of a request that was let in; throws on any other, which is a route without its limiter. */
export const grantOf = (request: IncomingMessage): RateLimitGrant => {
  const allowance = grants.get(request);
  if (allowance === undefined) throw new TypeError('The request did not pass a limiter.');
  return allowance;
};

/** Express's, where it is the one that asks: it knows which proxies to believe, and where it is mounted. */
interface ExpressRequest extends IncomingMessage {
  readonly ip?: string;
  readonly originalUrl?: string;
}

const maxBytes = 2 ** 40;

const lengthOf = ({ headers }: IncomingMessage): number => {
  const length = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? Math.min(length, maxBytes) : 0;
};

const createLimitRequest = (request: ExpressRequest, about: RequestContext): LimitRequest => {
  const { method = 'GET', url = '/', originalUrl = url } = request;
  const ip = request.ip ?? request.socket.remoteAddress;
  const dimensions = { ...(ip === undefined ? {} : { ip }), method, ...about.dimensions };
  const weight = { bytes: lengthOf(request), ...about.weight };
  return { target: originalUrl, ...about, dimensions, weight };
};

const sendDenial = (response: ServerResponse, { status, body }: DenialResponse): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  const type = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...type, 'Content-Length': bytes.length });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
};

/** Waits in line, unless whoever asked goes away. */
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

/** Whatever becomes of the answer, what it held is released; what was settled before stays so. */
const releaseWhenClosed = (response: ServerResponse, { decision, settle }: RateLimitGrant): void => {
  if (decision.reservationId === undefined) return;
  const done = (): void => void settle({}).catch(() => undefined);
  if (response.closed) done();
  else response.once('close', done);
};

const admit = async (options: RateLimitMiddlewareOptions, response: ServerResponse): Promise<boolean> => {
  const { limiter, about, refuse = sendDenial } = options;
  const { req: request } = response;
  const limitRequest = createLimitRequest(request, (await about?.(request)) ?? {});
  const decision = await (limiter.settles ? limiter.reserve(limitRequest) : limiter.check(limitRequest));
  const grant = createGrant(options, decision, limitRequest.dimensions.tenant);
  releaseWhenClosed(response, grant);
  if (response.closed) return false;
  for (const [name, value] of Object.entries(limitHeaders(decision))) response.setHeader(name, value);
  if (decision.outcome === 'deny') {
    refuse(response, denialResponse(decision));
    return false;
  }
  grants.set(request, grant);
  await waitInQueue(response, decision.turnMilliseconds);
  return !response.closed;
};

/** For `app.use` and before a handler: `app.post('/orders', limited({ limiter, about }), …)`; `next` is what runs when it may. */
export const rateLimitMiddleware =
  (options: RateLimitMiddlewareOptions) =>
  (_request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    admit(options, response).then(
      (isAdmitted) => (isAdmitted ? next() : undefined),
      (error: unknown) => next(error),
    );
  };
