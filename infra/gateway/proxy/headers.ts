/** Which headers pass the gateway, in each direction. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AccountCookies } from '../../http/account-cookies';
import type { CallerSigner } from '../../http/caller-signer';
import { type RequestLine, signCaller } from '../../http/identity';
import type { Identity } from '../../http/route';
import { ticketLine } from '../../http/ticket';
import type { Tracer } from '../../ports/trace';
import type { Authentication } from '../authentication/authenticate';
import { clientAddressOf } from '../authentication/client-address';
import type { Destination } from '../routing';
import type { SecurityHeaderOptions } from '../security-headers';

/** Meant for one connection only (RFC 9110, section 7.6.1), or answered here. */
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

/** Ours to say, or nobody's: a client cannot claim where it comes from, nor who it is. */
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
  /** The token was verified and stays here; client credentials go where they are checked. */
  readonly dropAuthorization: boolean;
  /** Of people's own pages, nothing else. */
  readonly cookie?: string | undefined;
  /** Ours; where nothing is traced, none is handed on. */
  readonly traceparent?: string | undefined;
}

export const upstreamHeaders = (request: IncomingMessage, forwarding: UpstreamHeaderValues): Headers => {
  const { requestId, identityHeader, protocol, dropAuthorization, cookie, traceparent } = forwarding;
  const drop = (name: string): boolean =>
    reservedHeaders.test(name) || (dropAuthorization && (name === 'authorization' || name === 'dpop'));
  // Spread into a new record this would cost more than all else that is done to a request.
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

/** Set on every answer already; what stands behind has no say in them. */
const gatewayHeaders =
  /^(server|x-powered-by|strict-transport-security|access-control-.*|x-request-id|septet-.*|date)$/;

/** What a caller may still ask for. */
const rateLimitHeaders = /^(x-ratelimit-.*|ratelimit|ratelimit-policy)$/;

export interface ResponseHeaderRules {
  /** What is served says itself what browsers may do with it, as it is of many kinds. */
  readonly ownPolicy: boolean;
  /** People's own pages: nothing else may leave a cookie in a browser. */
  readonly setsCookies: boolean;
  /** It counts itself, and says what is left; else we do. */
  readonly ownLimits?: boolean;
}

export const responseHeaders = (headers: IncomingHttpHeaders, behind: ResponseHeaderRules): Headers => {
  const { ownPolicy, setsCookies, ownLimits = false } = behind;
  return filterHeaders(
    headers,
    (name) =>
      gatewayHeaders.test(name) ||
      (!ownLimits && rateLimitHeaders.test(name)) ||
      (!ownPolicy && name === 'content-security-policy') ||
      (!setsCookies && name === 'set-cookie'),
  );
};

/** What goes along with a request to the service behind: who sends it, signed, and of its headers what is that service's business. */

export interface IdentitySigners {
  /** Believed by every service, and by gateways. */
  readonly signer: CallerSigner;
  /** Believed by one service, at a tenth of the cost. */
  readonly macSigners: { readonly [service: string]: CallerSigner | undefined };
}

/** A ticket is to convince gateways, too. */
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
  readonly authentication?: Pick<Authentication, 'certificateOf'>;
  readonly trace?: Tracer | undefined;
  /** Without them no cookie passes. */
  readonly accountCookies?: AccountCookies;
}

export interface ForwardedCall {
  readonly identity: Identity | undefined;
  readonly requestId: string;
  readonly destination: Destination;
}

/** The endpoints of OAuth know clients by their certificates; for all others it would only be large. */
const certificateFor = ({ authentication }: ForwardingOptions, request: IncomingMessage) =>
  request.url?.startsWith('/oauth/') ? authentication?.certificateOf?.(request) : undefined;

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
    dropAuthorization: !destination.public || destination.upstream === 'blobs',
    cookie: destination.browser === true ? options.accountCookies?.only(headers.cookie) : undefined,
    traceparent: options.trace?.current()?.traceparent,
  });
};

export const responseHeaderRulesFor = ({ upstream, browser }: Destination): ResponseHeaderRules => ({
  ownPolicy: browser === true || upstream === 'blobs',
  setsCookies: browser === true,
});
