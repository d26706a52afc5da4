/** Which headers pass the gateway, in each direction. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

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
const claimed = /^(septet-|x-forwarded-|forwarded$|x-real-ip$|cookie$|x-request-id$|traceparent$|tracestate$|baggage$)/;

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
  /** Ours; where nothing is traced, none is handed on. */
  readonly traceparent?: string | undefined;
}

/** A listener for both families shows IPv4 callers as mapped addresses. */
export const addressOf = ({ socket }: IncomingMessage): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

export const upstreamHeaders = (request: IncomingMessage, forwarding: Forwarding): Headers => {
  const { requestId, identityHeader, protocol, dropAuthorization, traceparent } = forwarding;
  const drop = (name: string): boolean => claimed.test(name) || (dropAuthorization && name === 'authorization');
  // Spread into a new record this would cost more than all else that is done to a request.
  const kept = passed(request.headers, drop);
  kept['septet-identity'] = identityHeader;
  kept['x-request-id'] = requestId;
  kept['x-forwarded-for'] = addressOf(request);
  kept['x-forwarded-proto'] = protocol;
  kept['x-forwarded-host'] = request.headers.host ?? '';
  if (traceparent !== undefined) kept.traceparent = traceparent;
  return kept;
};

/** Set on every answer already; what stands behind has no say in them. */
const ours = /^(server|x-powered-by|strict-transport-security|access-control-.*|x-request-id|septet-.*|date)$/;

/** `ownPolicy`: what is served says itself what browsers may do with it, as it is of many kinds. */
export const answerHeaders = (headers: IncomingHttpHeaders, ownPolicy = false): Headers =>
  passed(headers, (name) => ours.test(name) || (!ownPolicy && name === 'content-security-policy'));
