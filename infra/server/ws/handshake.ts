/** Validates a handshake (RFC 6455, section 4.2.1) and reads its list of subprotocols. */
import type { IncomingMessage } from 'node:http';
import { type Problem, problem } from '../http/problem';

/** Browsers can set no header on a WebSocket but this list: a ticket goes here, never into the URL, which is logged. */
const ticketPrefix = 'septet.ticket.';
const keyShape = /^[+/0-9A-Za-z]{22}==$/;
const protocolShape = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const maxProtocols = 8;

const refusal = (detail: string): Problem => ({
  ...problem('invalid-input', detail),
  headers: { 'Sec-WebSocket-Version': '13' },
});

export interface HandshakeOffer {
  /** Without tickets. */
  readonly protocols: readonly string[];
  readonly ticket: string | undefined;
}

export const parseOffer = ({ headers }: IncomingMessage): HandshakeOffer | undefined => {
  const list = (headers['sec-websocket-protocol'] ?? '').split(',').map((item) => item.trim());
  const offered = list.filter((item) => item !== '');
  if (offered.length > maxProtocols || !offered.every((item) => protocolShape.test(item))) return undefined;
  const [ticket, ...more] = offered.filter((item) => item.startsWith(ticketPrefix));
  if (more.length > 0 || new Set(offered).size < offered.length) return undefined;
  const protocols = offered.filter((item) => !item.startsWith(ticketPrefix));
  return { protocols, ticket: ticket?.slice(ticketPrefix.length) };
};

export const malformedHandshake = (request: IncomingMessage): Problem | undefined => {
  const { method, headers } = request;
  if (method !== 'GET') return refusal('A WebSocket handshake must use GET.');
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
    return refusal('A handshake must not have a body.');
  if (headers['sec-websocket-version'] !== '13')
    return refusal('Only version 13 of the WebSocket protocol is supported.');
  if (!keyShape.test(headers['sec-websocket-key'] ?? ''))
    return refusal('Sec-WebSocket-Key must be 16 bytes in base64.');
  return parseOffer(request) === undefined ? refusal('Sec-WebSocket-Protocol is malformed or too long.') : undefined;
};

/** Pages of other origins must not open sockets with the visitor's cookies. */
export const foreignOrigin = ({ headers }: IncomingMessage, allowed: readonly string[]): Problem | undefined =>
  headers.origin === undefined || allowed.includes(headers.origin)
    ? undefined
    : problem('forbidden', 'WebSockets are not opened for pages of this origin.');
