/** Header filtering in both directions, and the signed identity header. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { withResourceMetadata } from '../../../packages/resource-server/src/verification/index';
import type { Tracer } from '../../ports/runtime/trace';
import type { AccountCookies } from '../../server/http/identity/account-cookies';
import type { CallerSigner } from '../../server/http/identity/caller-signer';
import { type RequestLine, signCaller } from '../../server/http/identity/identity-header';
import { ticketLine } from '../../server/http/identity/socket-ticket';
import type { Identity } from '../../server/http/routing/route';
import type { Authentication } from '../authentication/authenticate';
import { clientAddressOf } from '../authentication/client-address';
import type { Destination } from '../routing/destinations';
import type { SecurityHeaderOptions } from '../security-headers';

/** Hop-by-hop headers (RFC 9110 section 7.6.1), and headers that the gateway answers itself. */
const hopByHop = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that only the gateway may set: a client must not claim an address or identity. */
const reservedHeaders =
  /^(septet-|x-forwarded-|forwarded$|x-real-ip$|cookie$|x-request-id$|traceparent$|tracestate$|baggage$|client-cert|x-client-cert|x-ssl-|ssl-)/;

const connectionHeaders = (connection: string | undefined): readonly string[] =>
  (connection ?? '').split(',').map((name) => name.trim().toLowerCase());

type Headers = Record<string, string | string[]>;

const filterHeaders = (headers: IncomingHttpHeaders, drop: (name: string) => boolean): Headers => {
  const listed = connectionHeaders(headers.connection);
  const result: Headers = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !hopByHop.has(name) && !listed.includes(name) && !drop(name)) result[name] = value;
  return result;
};

export interface UpstreamHeaderValues {
  readonly requestId: string;
  readonly identityHeader: string;
  readonly protocol: 'http' | 'https';
  /** True for verified access tokens, which stay at the gateway; client credentials are forwarded. */
  readonly dropAuthorization: boolean;
  /** Account cookies only. */
  readonly cookie?: string | undefined;
  /** The gateway's own trace context; none when tracing is off. */
  readonly traceparent?: string | undefined;
}

export const upstreamHeaders = (request: IncomingMessage, forwarding: UpstreamHeaderValues): Headers => {
  const { requestId, identityHeader, protocol, dropAuthorization, cookie, traceparent } = forwarding;
  const drop = (name: string): boolean =>
    reservedHeaders.test(name) || (dropAuthorization && (name === 'authorization' || name === 'dpop'));
  // Mutated in place: copying it per request measurably costs time.
  const result = filterHeaders(request.headers, drop);
  result['septet-identity'] = identityHeader;
  result['x-request-id'] = requestId;
  result['x-forwarded-for'] = clientAddressOf(request);
  result['x-forwarded-proto'] = protocol;
  result['x-forwarded-host'] = request.headers.host ?? '';
  if (cookie !== undefined) result.cookie = cookie;
  if (traceparent !== undefined) result.traceparent = traceparent;
  return result;
};

/** The gateway sets these itself and ignores the service's. */
const gatewayHeaders =
  /^(server|x-powered-by|strict-transport-security|access-control-.*|x-request-id|septet-.*|date)$/;

/** Remaining limits of the caller. */
export const rateLimitHeaders = /^(x-ratelimit-.*|ratelimit|ratelimit-policy)$/;

export interface ResponseHeaderRules {
  /** The service sets its own content security policy. */
  readonly ownPolicy: boolean;
  /** Only account pages may set cookies. */
  readonly setsCookies: boolean;
  /** The service sends its own rate limit headers. */
  readonly ownLimits?: boolean;
  /** Challenges of the service that require an access token of ours name this document (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
}

const challengeHeader = 'www-authenticate';

export const responseHeaders = (headers: IncomingHttpHeaders, behind: ResponseHeaderRules): Headers => {
  const { ownPolicy, setsCookies, ownLimits = false, resourceMetadata: url } = behind;
  const result = filterHeaders(
    headers,
    (name) =>
      gatewayHeaders.test(name) ||
      (!ownLimits && rateLimitHeaders.test(name)) ||
      (!ownPolicy && name === 'content-security-policy') ||
      (!setsCookies && name === 'set-cookie'),
  );
  const challenge = result[challengeHeader];
  if (url !== undefined && challenge !== undefined)
    result[challengeHeader] = withResourceMetadata([challenge].flat().join(', '), url);
  return result;
};

export interface IdentitySigners {
  /** Trusted by every service and gateway. */
  readonly signer: CallerSigner;
  /** Trusted by one service; ten times cheaper to sign. */
  readonly macSigners: { readonly [service: string]: CallerSigner | undefined };
}

/** Requests for socket tickets are signed asymmetrically, because other gateways must verify them. */
export const signerFor = (
  { signer, macSigners }: IdentitySigners,
  upstream: string,
  line: RequestLine,
): CallerSigner => {
  const isTicket = line.method === ticketLine.method && line.target === ticketLine.target;
  return isTicket ? signer : (macSigners[upstream] ?? signer);
};

export interface ForwardingOptions extends IdentitySigners {
  readonly shield: SecurityHeaderOptions;
  readonly authentication?: Pick<Authentication, 'certificateOf' | 'resourceMetadata'>;
  readonly trace?: Tracer | undefined;
  /** Without it no cookie is forwarded. */
  readonly accountCookies?: AccountCookies;
}

export interface ForwardedCall {
  readonly identity: Identity | undefined;
  readonly requestId: string;
  readonly destination: Destination;
}

/** Only OAuth endpoints and the exchange authenticate by certificate; elsewhere the header would only be large. */
const takesCertificate = (target = ''): boolean =>
  target.startsWith('/oauth/') || /^\/v1\/token\/exchange(\?|$)/.test(target);

const certificateFor = ({ authentication }: ForwardingOptions, request: IncomingMessage) =>
  takesCertificate(request.url) ? authentication?.certificateOf?.(request) : undefined;

export const identityForwardingHeaders = (
  options: ForwardingOptions,
  request: IncomingMessage,
  caller: ForwardedCall,
) => {
  const { method = '', url = '', headers } = request;
  const { identity, requestId, destination } = caller;
  const line = { method, target: url };
  const signing = { signer: signerFor(options, destination.upstream, line), line, now: Date.now() };
  return upstreamHeaders(request, {
    requestId,
    identityHeader: signCaller({ identity, requestId, certificate: certificateFor(options, request) }, signing),
    protocol: options.shield.https ? 'https' : 'http',
    dropAuthorization: destination.authenticatedBy === 'gateway' || destination.upstream === 'blobs',
    cookie: destination.browser === true ? options.accountCookies?.only(headers.cookie) : undefined,
    traceparent: options.trace?.current()?.traceparent,
  });
};

/** Runners, jobs and Git authenticate by something else than access tokens; OAuth endpoints check these themselves. */
const takesAccessTokens = ({ authenticatedBy }: Destination, url = ''): boolean =>
  authenticatedBy === 'gateway' || url.startsWith('/oauth/');

export const responseHeaderRulesFor = (
  destination: Destination,
  { authentication }: Pick<ForwardingOptions, 'authentication'>,
  { url }: Pick<IncomingMessage, 'url'>,
): ResponseHeaderRules => ({
  resourceMetadata: takesAccessTokens(destination, url) ? authentication?.resourceMetadata : undefined,
  ownPolicy: destination.browser === true || destination.upstream === 'blobs',
  setsCookies: destination.browser === true,
});
