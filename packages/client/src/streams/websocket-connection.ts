/** One WebSocket: decoded messages both ways, and an end when it closes, falls silent, or breaks the protocol. */

import { NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors';
import { parseJson } from '../http/read-response';
import type { WebSocketLike } from '../platform';
import type { Session } from '../session';
import type { ConnectionEnd } from './stream-message';

export interface WireMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface WebSocketConnection {
  readonly send: (message: WireMessage) => void;
  /** Closes the socket; the listener is not called. */
  readonly close: () => void;
}

export interface ConnectionOptions {
  readonly session: Session;
  /** Maximum time between two messages of the server. */
  readonly silenceMilliseconds: number;
  readonly received: (message: WireMessage, size: number) => void;
  /** Called once, last. */
  readonly ended: (end: ConnectionEnd) => void;
}

export const operation = 'followStreams';

const isWireMessage = (content: unknown): content is WireMessage =>
  typeof content === 'object' && content !== null && 'type' in content && typeof content.type === 'string';

/** Undefined if it is no message of this protocol. */
const decodeWireMessage = (data: unknown, limit: number): WireMessage | undefined => {
  if (typeof data !== 'string' || data.length > limit) return undefined;
  try {
    const content = parseJson(data);
    return isWireMessage(content) ? content : undefined;
  } catch {
    return undefined;
  }
};

const createProtocolError = (): ConnectionEnd => {
  const detail = 'The server sent a malformed message.';
  return {
    kind: 'failed',
    error: new UnexpectedAnswerError({ reason: 'wrong-form', status: 101, detail }, { operation }),
  };
};

const toConnectionEnd = (
  { code, reason }: { readonly code: number; readonly reason: string },
  hasReceived: boolean,
): ConnectionEnd => {
  if (hasReceived || reason !== '') return { kind: 'ended', code: reason || undefined, retryMilliseconds: undefined };
  const cause = new Error(`The socket closed with ${code} before it was open.`);
  return { kind: 'failed', error: new NetworkError({ operation, cause }) };
};

/** Pings when the server falls silent, then reports it. `received` must be called for each message. */
const watchSilence = (
  { session, silenceMilliseconds: maxSilence }: ConnectionOptions,
  { ping, silent }: { readonly ping: () => void; readonly silent: () => void },
) => {
  const { now } = session.platform;
  let receivedAt = now();
  const timer = setInterval(() => {
    const quiet = now() - receivedAt;
    if (quiet > maxSilence) silent();
    else if (quiet > maxSilence / 3) ping();
  }, maxSilence / 6);
  return {
    received: () => {
      receivedAt = now();
    },
    stop: () => clearInterval(timer),
  };
};

/** Takes over the socket and its handlers. */
export const wrapWebSocket = (socket: WebSocketLike, options: ConnectionOptions): WebSocketConnection => {
  let hasReceived = false;
  const stop = (): void => {
    silence.stop();
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  };
  const finish = (end: ConnectionEnd): void => {
    stop();
    options.ended(end);
  };
  const send = (message: WireMessage): void => socket.send(JSON.stringify(message));
  const silence = watchSilence(options, {
    ping: () => (hasReceived ? send({ type: 'ping' }) : undefined),
    silent: () => finish({ kind: 'failed', error: new TimeoutError(options.silenceMilliseconds, { operation }) }),
  });
  socket.onmessage = ({ data }) => {
    silence.received();
    hasReceived = true;
    const message = decodeWireMessage(data, options.session.maxResponseBytes);
    if (message === undefined) finish(createProtocolError());
    else options.received(message, String(data).length);
  };
  socket.onclose = (closed) => finish(toConnectionEnd(closed, hasReceived));
  // The close event that follows reports the failure.
  socket.onerror = () => undefined;
  return { send, close: stop };
};
