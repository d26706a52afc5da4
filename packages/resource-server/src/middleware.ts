/** HTTP middleware for express and plain servers. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AccessError } from './verification/access-error';
import type { VerifiedAccess } from './verification/check-access';
import { isLeft } from './verification/either';
import { pathOf, type Verifier } from './verifier';

export interface RequiredAccess {
  readonly scopes?: readonly string[];
  /** Sensitive route: 503 after five seconds without revocations instead of a minute. */
  readonly sensitive?: boolean;
}

const verifiedAccesses = new WeakMap<IncomingMessage, VerifiedAccess>();

/** The verified access of a request. Throws on routes without the middleware. */
export const accessOf = (request: IncomingMessage): VerifiedAccess => {
  const access = verifiedAccesses.get(request);
  if (access === undefined) throw new TypeError('The request did not pass a guard.');
  return access;
};

/** Problem details (RFC 9457) with the challenge. */
const sendError = (response: ServerResponse, { status, code, detail, headers }: AccessError): void => {
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, code, detail };
  const body = Buffer.from(JSON.stringify(problem));
  const type = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...type, ...headers, 'Content-Length': body.length });
  response.end(response.req.method === 'HEAD' ? undefined : body);
};

const checkRequest = async (
  verifier: Verifier,
  response: ServerResponse,
  { scopes = [], sensitive = false }: RequiredAccess,
): Promise<VerifiedAccess | undefined> => {
  const { req: request } = response;
  const access = await verifier.authorize(request, scopes, sensitive);
  if (isLeft(access)) {
    sendError(response, access.left);
    return undefined;
  }
  const nonce = request.headers.dpop === undefined ? undefined : verifier.nonce();
  if (nonce !== undefined) response.setHeader('DPoP-Nonce', nonce);
  verifiedAccesses.set(request, access.right);
  return access.right;
};

/** For `app.use` and routes: `app.get('/things', requireAccess(verifier, { scopes: ['things:read'] }), …)`. */
export const requireAccess =
  (verifier: Verifier, needed: RequiredAccess = {}) =>
  (_request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    checkRequest(verifier, response, needed).then(
      (access) => (access === undefined ? undefined : next()),
      (error: unknown) => next(error),
    );
  };

/**
 * Metadata is public, and pages of every origin may read it (RFC 9728 section 3.1). Preflights come with what protocols add to requests, such as
 * `MCP-Protocol-Version`.
 */
const readableEverywhere = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '600',
};

/** False: the request is for something else. */
const sendResourceMetadata = ({ metadata }: Verifier, response: ServerResponse): boolean => {
  const { req: request } = response;
  const [path] = pathOf(request).split('?');
  if (metadata === undefined || path !== metadata.path) return false;
  const { method } = request;
  const type = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' };
  if (method === 'GET' || method === 'HEAD')
    response
      .writeHead(200, { ...type, ...readableEverywhere })
      .end(method === 'HEAD' ? undefined : JSON.stringify(metadata.document));
  else if (method === 'OPTIONS') response.writeHead(204, readableEverywhere).end();
  else response.writeHead(405, { Allow: 'GET, HEAD, OPTIONS' }).end();
  return true;
};

/** For `app.use`, before routes: serves the metadata of a verifier that has any. `protectHandler` serves it by itself. */
export const serveResourceMetadata =
  (verifier: Verifier) =>
  (_request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    if (!sendResourceMetadata(verifier, response)) next();
  };

export interface ProtectOptions extends RequiredAccess {
  /** Receives errors of the handler or policy; default: logs to standard error. */
  readonly failed?: (error: unknown) => void;
}

const logFailure = (error: unknown): void =>
  void process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);

type Handler = (request: IncomingMessage, response: ServerResponse, access: VerifiedAccess) => void | Promise<void>;

/** For `createServer`. Answers 500 when the handler throws. */
export const protectHandler =
  (verifier: Verifier, { failed = logFailure, ...needed }: ProtectOptions, handler: Handler) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (sendResourceMetadata(verifier, response)) return;
    const run = async (): Promise<void> => {
      const access = await checkRequest(verifier, response, needed);
      if (access !== undefined) await handler(request, response, access);
    };
    run().catch((error: unknown) => {
      failed(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Length': 0 }).end();
    });
  };
