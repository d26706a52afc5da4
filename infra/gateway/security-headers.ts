/** Security headers of every response, CORS, and the request id. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitHeaderNames } from '../../packages/ratelimit/src/server';
import { isPublicDocument, isReadByClients } from '../server/http/routing/cross-origin';
import { resolveDestination } from './routing/destinations';

export interface SecurityHeaderOptions {
  readonly allowedOrigins: readonly string[];
  /** Sends HSTS; only when the public URL is https. */
  readonly https: boolean;
  /** False: the service answers preflights itself. Default: true. */
  readonly preflights?: boolean;
}

const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
const httpsHeaders = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' };

const allowedMethods = 'GET, HEAD, POST, PUT, DELETE';
const allowedHeaders =
  'Authorization, Content-Type, DPoP, Idempotency-Key, If-Match, If-None-Match, If-Min-Revision, If-Range, Last-Event-ID, MCP-Protocol-Version, Min-Position, Range, X-Request-Id';
const readingMethods = 'GET, HEAD';
const readingHeaders = 'Authorization, DPoP, If-None-Match, If-Range, Range, X-Request-Id';
const exposedHeaders = `Accept-Ranges, Content-Range, DPoP-Nonce, ETag, Position, Location, Idempotency-Key, Link, WWW-Authenticate, X-Request-Id, ${limitHeaderNames.join(', ')}`;

/** Never allows credentials: these origins authenticate with a token. */
export const allowCrossOriginReading = (response: ServerResponse, origin: string): void => {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
};

/** Every origin may read errors of the gateway at endpoints for clients: they reveal nothing about a client. */
export const allowReadingError = (response: ServerResponse): void => {
  const { url = '', headers } = response.req;
  const isAllowed = response.hasHeader('Access-Control-Allow-Origin');
  if (headers.origin !== undefined && isReadByClients(url) && !isAllowed) allowCrossOriginReading(response, '*');
};

/**
 * Discovery documents and JWKS are readable from every origin. A preflight cannot name the client, so token endpoints allow every origin in
 * preflights, without credentials; the response itself is readable only for the origins of the client in the request.
 */
const isOpenToAllOrigins = ({ url = '' }: IncomingMessage, preflight: boolean): boolean =>
  isPublicDocument(url) || (preflight && isReadByClients(url));

/** Which requests a preflight allows. */
type Allowed = 'every request' | 'reading' | 'none';

/** CORS headers, as the manifest's destination declares them. */
const allowReaders = (
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  preflight: boolean,
): Allowed => {
  const requested = preflight ? headers['access-control-request-method'] : method;
  if (requested !== 'GET' && requested !== 'HEAD') return 'none';
  const readers = resolveDestination(requested, url)?.readableFrom;
  if (readers === undefined) return 'none';
  // The service's answer names the origin that may read; a preflight has no such answer.
  const isOpen = readers === '*' || (readers === 'service' && preflight);
  if (!isOpen) response.setHeader('Vary', 'Origin');
  const { origin } = headers;
  if (isOpen) allowCrossOriginReading(response, '*');
  else if (readers !== 'service' && origin !== undefined && readers.includes(origin))
    allowCrossOriginReading(response, origin);
  else return 'none';
  return 'reading';
};

const allowOrigin = (
  request: IncomingMessage,
  response: ServerResponse,
  { allowedOrigins, preflight }: Pick<SecurityHeaderOptions, 'allowedOrigins'> & { readonly preflight: boolean },
): Allowed => {
  const isOpen = isOpenToAllOrigins(request, preflight);
  if (isOpen) allowCrossOriginReading(response, '*');
  const allowed = isOpen ? 'every request' : allowReaders(request, response, preflight);
  if (allowedOrigins.length === 0) return allowed;
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !allowedOrigins.includes(origin)) return allowed;
  allowCrossOriginReading(response, origin);
  return 'every request';
};

const preflightHeaders: { readonly [A in Allowed]: Readonly<Record<string, string>> } = {
  'every request': {
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': '600',
  },
  reading: {
    'Access-Control-Allow-Methods': readingMethods,
    'Access-Control-Allow-Headers': readingHeaders,
    'Access-Control-Max-Age': '600',
  },
  none: {},
};

/** Sets the headers. Returns true when it answered a preflight. */
export const applySecurityHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  options: SecurityHeaderOptions,
): boolean => {
  const headers = options.https ? { ...commonHeaders, ...httpsHeaders } : commonHeaders;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  const allowed = allowOrigin(request, response, { allowedOrigins: options.allowedOrigins, preflight });
  if (!preflight || options.preflights === false) return false;
  response.writeHead(204, preflightHeaders[allowed]).end();
  return true;
};

const idShape = /^[A-Za-z0-9._:-]{1,128}$/;

const requestIds = new WeakMap<IncomingMessage, string>();

export const requestIdOf = (request: IncomingMessage): string => {
  const known = requestIds.get(request);
  if (known !== undefined) return known;
  const requested = request.headers['x-request-id'];
  const id = typeof requested === 'string' && idShape.test(requested) ? requested : randomUUID();
  requestIds.set(request, id);
  return id;
};
