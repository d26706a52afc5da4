/** The limiter before a handler: for express, and for a plain server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Decision, LimitRequest, SettleOutcome, Settling } from './decision';
import { limitHeaders } from './headers';
import type { PolicyLimiter } from './limiter';
import { type Refusal, refusal } from './refused';

/** What is known of a request without asking: its address, method, target and, as `bytes`, its announced length. */
export type About = Partial<LimitRequest>;

export interface LimitedOptions {
  readonly limiter: Pick<PolicyLimiter, 'check' | 'reserve' | 'settle' | 'settles'>;
  /**
   * Whose request it is and what it weighs, besides what is known without asking; what it says counts. Whose it is must have been proved:
   * a header that callers choose would make them another tenant each time.
   */
  readonly about?: (request: IncomingMessage) => About | Promise<About>;
  /** Answers a denied request; with the refusal's own status, headers and body when left out. */
  readonly refuse?: (response: ServerResponse, refusal: Refusal) => void;
}

export interface Allowance {
  readonly decision: Decision;
  /** What the request came to, so far or in the end; else it stays as it was reserved. */
  readonly settle: (actual: Settling['actual'], final?: boolean) => Promise<SettleOutcome>;
}

const found = new WeakMap<IncomingMessage, Allowance>();

/** Of a request that was let in; throws on any other, which is a route without its limiter. */
export const allowanceOf = (request: IncomingMessage): Allowance => {
  const allowance = found.get(request);
  if (allowance === undefined) throw new TypeError('The request did not pass a limiter.');
  return allowance;
};

/** Express's, where it is the one that asks: it knows which proxies to believe, and where it is mounted. */
interface Routed extends IncomingMessage {
  readonly ip?: string;
  readonly originalUrl?: string;
}

const mostBytes = 2 ** 40;

const lengthOf = ({ headers }: IncomingMessage): number => {
  const length = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? Math.min(length, mostBytes) : 0;
};

const limitRequest = (request: Routed, about: About): LimitRequest => {
  const { method = 'GET', url = '/', originalUrl = url } = request;
  const ip = request.ip ?? request.socket.remoteAddress;
  const dimensions = { ...(ip === undefined ? {} : { ip }), method, ...about.dimensions };
  const weight = { bytes: lengthOf(request), ...about.weight };
  return { target: originalUrl, ...about, dimensions, weight };
};

const answer = (response: ServerResponse, { status, body }: Refusal): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  const type = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...type, 'Content-Length': bytes.length });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
};

/** Waits in line, unless whoever asked goes away. */
const turn = (response: ServerResponse, milliseconds: number): Promise<void> =>
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

const allowance = ({ limiter }: LimitedOptions, decision: Decision, tenant: string | undefined): Allowance => ({
  decision,
  settle: async (actual, final = true) => {
    const { reservationId } = decision;
    if (reservationId === undefined) return 'unknown';
    return limiter.settle({ reservationId, actual, final, ...(tenant === undefined ? {} : { tenant }) });
  },
});

/** Whatever becomes of the answer, what it held is released; what was settled before stays so. */
const release = (response: ServerResponse, { decision, settle }: Allowance): void => {
  if (decision.reservationId === undefined) return;
  const done = (): void => void settle({}).catch(() => undefined);
  if (response.closed) done();
  else response.once('close', done);
};

const admit = async (options: LimitedOptions, response: ServerResponse): Promise<boolean> => {
  const { limiter, about, refuse = answer } = options;
  const { req: request } = response;
  const asked = limitRequest(request, (await about?.(request)) ?? {});
  const decision = await (limiter.settles ? limiter.reserve(asked) : limiter.check(asked));
  const allowed = allowance(options, decision, asked.dimensions.tenant);
  release(response, allowed);
  if (response.closed) return false;
  for (const [name, value] of Object.entries(limitHeaders(decision))) response.setHeader(name, value);
  if (decision.outcome === 'deny') {
    refuse(response, refusal(decision));
    return false;
  }
  found.set(request, allowed);
  await turn(response, decision.turnMilliseconds);
  return !response.closed;
};

/** For `app.use` and before a handler: `app.post('/orders', limited({ limiter, about }), …)`; `next` is what runs when it may. */
export const limited =
  (options: LimitedOptions) =>
  (_request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    admit(options, response).then(
      (isAdmitted) => (isAdmitted ? next() : undefined),
      (error: unknown) => next(error),
    );
  };
