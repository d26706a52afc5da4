/** Which headers pass the gateway, in each direction. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { addressOf } from './client-address';

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
const claimed =
  /^(septet-|x-forwarded-|forwarded$|x-real-ip$|cookie$|x-request-id$|traceparent$|tracestate$|baggage$|client-cert|x-client-cert|x-ssl-|ssl-)/;

const named = (connection: string | undefined): readonly string[] =>
  (connection ?? '').split(',').map((name) => name.trim().toLowerCase());

type Headers = Record<string, string | string[]>;

const passed = (headers: IncomingHttpHeaders, drop: (name: string) => boolean): Headers => {
  const listed = named(headers.connection);
  const kept: Headers = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !hopByHop.has(name) && !listed.includes(name) && !drop(name)) kept[name] = value;
  return kept;
};

export interface Forwarding {
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

export const upstreamHeaders = (request: IncomingMessage, forwarding: Forwarding): Headers => {
  const { requestId, identityHeader, protocol, dropAuthorization, cookie, traceparent } = forwarding;
  const drop = (name: string): boolean =>
    claimed.test(name) || (dropAuthorization && (name === 'authorization' || name === 'dpop'));
  // Spread into a new record this would cost more than all else that is done to a request.
  const kept = passed(request.headers, drop);
  kept['septet-identity'] = identityHeader;
  kept['x-request-id'] = requestId;
  kept['x-forwarded-for'] = addressOf(request);
  kept['x-forwarded-proto'] = protocol;
  kept['x-forwarded-host'] = request.headers.host ?? '';
  if (cookie !== undefined) kept.cookie = cookie;
  if (traceparent !== undefined) kept.traceparent = traceparent;
  return kept;
};

/** Set on every answer already; what stands behind has no say in them. */
const ours = /^(server|x-powered-by|strict-transport-security|access-control-.*|x-request-id|septet-.*|date)$/;

/** What a caller may still ask for. */
const limits = /^(x-ratelimit-.*|ratelimit|ratelimit-policy)$/;

export interface Behind {
  /** What is served says itself what browsers may do with it, as it is of many kinds. */
  readonly ownPolicy: boolean;
  /** People's own pages: nothing else may leave a cookie in a browser. */
  readonly setsCookies: boolean;
  /** It counts itself, and says what is left; else we do. */
  readonly ownLimits?: boolean;
}

export const answerHeaders = (headers: IncomingHttpHeaders, behind: Behind): Headers => {
  const { ownPolicy, setsCookies, ownLimits = false } = behind;
  return passed(
    headers,
    (name) =>
      ours.test(name) ||
      (!ownLimits && limits.test(name)) ||
      (!ownPolicy && name === 'content-security-policy') ||
      (!setsCookies && name === 'set-cookie'),
  );
};
