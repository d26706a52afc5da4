/** The verifier before a handler: for express, and for a plain server. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Access } from './verification/authorize';
import { isLeft } from './verification/either';
import type { Refusal } from './verification/refusal';
import type { Verifier } from './verifier';

export interface Needed {
  readonly scopes?: readonly string[];
  /** For what does most harm in wrong hands: 503 after five seconds without word of revocations, not after a minute. */
  readonly sensitive?: boolean;
}

const found = new WeakMap<IncomingMessage, Access>();

/** Of a request that was let in; throws on any other, which is a route without its guard. */
export const accessOf = (request: IncomingMessage): Access => {
  const access = found.get(request);
  if (access === undefined) throw new TypeError('The request did not pass a guard.');
  return access;
};

/** As problem details (RFC 9457), with the challenge that says what would do. */
const refuse = (response: ServerResponse, { status, code, detail, headers }: Refusal): void => {
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, code, detail };
  const body = Buffer.from(JSON.stringify(problem));
  const type = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...type, ...headers, 'Content-Length': body.length });
  response.end(response.req.method === 'HEAD' ? undefined : body);
};

const admit = async (
  verifier: Verifier,
  response: ServerResponse,
  { scopes = [], sensitive = false }: Needed,
): Promise<Access | undefined> => {
  const { req: request } = response;
  const access = await verifier.authorize(request, scopes, sensitive);
  if (isLeft(access)) {
    refuse(response, access.left);
    return undefined;
  }
  const nonce = request.headers.dpop === undefined ? undefined : verifier.nonce();
  if (nonce !== undefined) response.setHeader('DPoP-Nonce', nonce);
  found.set(request, access.right);
  return access.right;
};

/** For `app.use` and before a route's handler: `app.get('/things', guard(verifier, { scopes: ['things:read'] }), …)`. */
export const guard =
  (verifier: Verifier, needed: Needed = {}) =>
  (_request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    admit(verifier, response, needed).then(
      (access) => (access === undefined ? undefined : next()),
      (error: unknown) => next(error),
    );
  };

export interface NeededAndFailed extends Needed {
  /** Told of what the handler, or the policy, throws; left out, it is written to standard error. */
  readonly failed?: (error: unknown) => void;
}

const written = (error: unknown): void =>
  void process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);

type Handler = (request: IncomingMessage, response: ServerResponse, access: Access) => void | Promise<void>;

/** For `createServer`. What the handler throws is answered with 500, as nobody else would. */
export const guarded =
  (verifier: Verifier, { failed = written, ...needed }: NeededAndFailed, handler: Handler) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const run = async (): Promise<void> => {
      const access = await admit(verifier, response, needed);
      if (access !== undefined) await handler(request, response, access);
    };
    run().catch((error: unknown) => {
      failed(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Length': 0 }).end();
    });
  };
