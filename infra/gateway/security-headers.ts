/** Headers that every answer carries: what browsers may do with it, and which other sites may ask. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitHeaderNames } from '../../packages/ratelimit/src/server';
import { isPublicDocument, isReadByClients } from '../http/cross-origin';

export interface SecurityHeaderOptions {
  readonly allowedOrigins: readonly string[];
  /** Browsers are told to stay with https only where it is what we are reached by. */
  readonly https: boolean;
  /** A preflight is answered by whoever it is for; left out, it is for us. */
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
  'Authorization, Content-Type, DPoP, Idempotency-Key, If-Match, If-None-Match, If-Min-Revision, Last-Event-ID, Min-Position, X-Request-Id';
const exposedHeaders = `DPoP-Nonce, ETag, Position, Location, Idempotency-Key, Link, WWW-Authenticate, X-Request-Id, ${limitHeaderNames.join(', ')}`;

/** No credentials: cookies are not read here, and a token is given by whoever has it. */
export const allowCrossOriginReading = (response: ServerResponse, origin: string): void => {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
};

/** A refusal of the gateway's own says nothing of a client: pages of every origin may read why, and when to try again. */
export const allowReadingError = (response: ServerResponse): void => {
  const { url = '', headers } = response.req;
  const isAllowed = response.hasHeader('Access-Control-Allow-Origin');
  if (headers.origin !== undefined && isReadByClients(url) && !isAllowed) allowCrossOriginReading(response, '*');
};

/**
 * Discovery and signing keys are for every origin. A preflight cannot name the client, so that of a token endpoint is answered for every
 * origin too, without credentials: whether the answer itself may be read is decided of the client that it names.
 */
const isOpenToAllOrigins = ({ url = '' }: IncomingMessage, preflight: boolean): boolean =>
  isPublicDocument(url) || (preflight && isReadByClients(url));

const allowOrigin = (
  request: IncomingMessage,
  response: ServerResponse,
  { allowedOrigins, preflight }: Pick<SecurityHeaderOptions, 'allowedOrigins'> & { readonly preflight: boolean },
): boolean => {
  const open = isOpenToAllOrigins(request, preflight);
  if (open) allowCrossOriginReading(response, '*');
  if (allowedOrigins.length === 0) return open;
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !allowedOrigins.includes(origin)) return open;
  allowCrossOriginReading(response, origin);
  return true;
};

/** Sets the headers; answers whether the request was a preflight and is done. */
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
  const answer = {
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': '600',
  };
  response.writeHead(204, allowed ? answer : {}).end();
  return true;
};

/** What a request is called in logs and answers: as the client calls it, or anew. */

const idShape = /^[A-Za-z0-9._:-]{1,128}$/;

export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const requested = headers['x-request-id'];
  return typeof requested === 'string' && idShape.test(requested) ? requested : randomUUID();
};
