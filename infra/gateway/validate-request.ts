/** Checks request line and headers before anything else, so that the gateway and the services interpret a request in the same way. */
import type { IncomingMessage } from 'node:http';
import type { Rejection } from '../../domain/kernel/rejection';
import { type Problem, problem, problemOf } from '../server/http/problem';
import { isModelPath, maxModelBody } from './models/routes';
import { gatewayProblems } from './problems';
import { type Destination, resolveDestination } from './routing/destinations';

const maxHeaders = 100;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/** Headers that may occur once: Node would keep the first or join the values. */
const singleValueHeaders = new Set([
  'expect',
  'host',
  'authorization',
  'client-cert',
  'dpop',
  'content-type',
  'content-length',
  'transfer-encoding',
  'idempotency-key',
  'if-match',
  'if-min-revision',
  'last-event-id',
  'min-position',
  'origin',
  'septet-capability',
  'x-request-id',
]);

const rejection = (code: keyof typeof gatewayProblems, detail: string): Problem => {
  const refusal: Rejection<typeof code> = { kind: 'rejection', code, detail };
  return problemOf(refusal, gatewayProblems);
};

const repeatedHeader = (rawHeaders: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    if (!singleValueHeaders.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
};

/** No fragment (never sent to servers) and no backslash (some parsers treat it as a slash). */
const targetShape = /^\/[\x21\x22\x24-\x5b\x5d-\x7e]*$/;
/** Percent-encoded unreserved characters (RFC 3986 section 6.2.2): each path has one spelling. */
const unreserved = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;
const brokenEncoding = /%(?![0-9a-f]{2})/i;
/** Some servers end a path at NUL, or take an encoded backslash for a separator. */
const encodedControl = /%(?:[01][0-9a-f]|7f|5c)/i;
const emptyOrDotSegment = /\/\/|\/\.{1,2}(?:\/|$)/;

/**
 * Rejects paths with a second spelling, so that checks and services see the same route. An encoded slash is a character of a parameter, not
 * a separator (RFC 3986 section 2.2).
 */
const invalidPath = (target: string): string | undefined => {
  const [path = ''] = target.split('?', 1);
  if (emptyOrDotSegment.test(path)) return 'The path must have no empty segments, and none of dots alone.';
  if (unreserved.test(path)) return 'The path must not percent-encode letters, digits, -, ., _ and ~.';
  if (encodedControl.test(path)) return 'The path must not have encoded control characters and backslashes.';
  return brokenEncoding.test(path) ? 'A percent sign in the path must begin a percent-encoded byte.' : undefined;
};

const hostShape = /^([\w.~-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

const invalidHost = ({ headers: { host }, httpVersion }: IncomingMessage): string | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'HTTP/1.1 is spoken here.';
  return host === undefined || hostShape.test(host) ? undefined : 'The header host must be a name and a port.';
};

/** One coding that every parser reads alike; HTTP/1.0 has none (RFC 9112 section 6.1). Trailers would pass unchecked. */
const invalidFraming = ({ headers, httpVersion }: IncomingMessage): string | undefined => {
  const { 'transfer-encoding': coding, trailer } = headers;
  if (coding !== undefined && (coding.trim().toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'The only transfer coding is chunked, of HTTP/1.1.';
  return trailer === undefined ? undefined : 'Trailers are not accepted.';
};

/** HTTP/1.0 ignores expectations (RFC 9110 section 10.1.1). */
const hasOtherExpectation = ({ headers: { expect }, httpVersion }: IncomingMessage): boolean =>
  expect !== undefined && httpVersion === '1.1' && expect.trim().toLowerCase() !== '100-continue';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const maxTargetLength = 8_192;
/** Pages carry requests of applications, with opaque values of 8,192 characters, percent-encoded. */
const maxPageTargetLength = 32_768;

/** Of all headers together. The listener bounds them together with the target. */
const maxHeaderBytes = 16_384;
export const listenerHeaderBytes = maxPageTargetLength + maxHeaderBytes;

const headerBytesOf = (rawHeaders: readonly string[]): number =>
  rawHeaders.reduce((bytes, part) => bytes + part.length + 2, 0);

export interface RequestLimits {
  readonly body: number;
  /** Characters of path and query. */
  readonly target: number;
  /** Check requests allow every method. */
  readonly anyMethod?: boolean;
}

export const validateRequest = (request: IncomingMessage, limits: RequestLimits): Problem | undefined => {
  const { method = '', url = '', rawHeaders, headers } = request;
  if (limits.anyMethod !== true && !methods.includes(method)) {
    const refused = problem('method-not-allowed', `Use ${methods.join(', ')}.`);
    return { ...refused, headers: { Allow: methods.join(', ') } };
  }
  if (url.length > limits.target)
    return rejection('target-too-long', `Path and query may hold ${limits.target} characters.`);
  if (!targetShape.test(url))
    return rejection('malformed-request', 'The request target must be a path in visible ASCII.');
  const unusual = limits.anyMethod === true ? undefined : invalidPath(url);
  if (unusual !== undefined) return rejection('malformed-request', unusual);
  const unclear = invalidHost(request);
  if (unclear !== undefined) return rejection('malformed-request', unclear);
  if (rawHeaders.length / 2 > maxHeaders)
    return rejection('headers-too-many', `At most ${maxHeaders} headers are read.`);
  if (headerBytesOf(rawHeaders) > maxHeaderBytes)
    return rejection('headers-too-many', `The headers may hold ${maxHeaderBytes} bytes.`);
  const repeated = repeatedHeader(rawHeaders);
  if (repeated !== undefined) return rejection('malformed-request', `The header ${repeated} is there more than once.`);
  const framing = invalidFraming(request);
  if (framing !== undefined) return rejection('malformed-request', framing);
  if (hasOtherExpectation(request)) return rejection('expectation-failed', 'The only expectation is 100-continue.');
  if ((method === 'GET' || method === 'HEAD') && hasBody(request))
    return rejection('malformed-request', `${method} takes no body.`);
  if (Number(headers['content-length'] ?? 0) > limits.body)
    return problem('body-too-large', `The body may hold at most ${limits.body} bytes.`);
  return undefined;
};

/** Signed blob URLs contain the key. */
const maxBlobTargetLength = 12_288;

const targetLimitOf = (destination: Destination | undefined): number => {
  if (destination?.browser === true) return maxPageTargetLength;
  return destination?.upstream === 'blobs' ? maxBlobTargetLength : maxTargetLength;
};

export const requestLimitsFor = (
  { method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  bodyLimit: number,
): RequestLimits => {
  if (isModelPath(url)) return { body: maxModelBody, target: maxTargetLength };
  const destination = resolveDestination(method, url);
  return { body: destination?.transfer?.maxBytes ?? bodyLimit, target: targetLimitOf(destination) };
};
