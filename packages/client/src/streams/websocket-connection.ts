/** One WebSocket: words of the protocol both ways, and an end when it closes, falls silent, or says what it should not. */

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
  /** Ends it without a word to the listener. */
  readonly close: () => void;
}

export interface ConnectionListener {
  readonly received: (message: WireMessage, size: number) => void;
  /** Once; nothing is heard after it. */
  readonly ended: (end: ConnectionEnd) => void;
}

export const operation = 'followStreams';

const isWireMessage = (content: unknown): content is WireMessage =>
  typeof content === 'object' && content !== null && 'type' in content && typeof content.type === 'string';

/** Undefined when it is none of this protocol. */
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
  const detail = 'The socket told what is no message of its protocol.';
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

/** Pings when nothing was heard for a while; answers how to stop, and what is called whenever something was. */
const watchSilence = ({ platform: { now } }: Session, maxSilence: number, [ping, silent]: [() => void, () => void]) => {
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

/** Takes the socket over; from then on it only says what it hears and how it ends. */
export const wrapWebSocket = (
  socket: WebSocketLike,
  [session, maxSilence]: [Session, number],
  listener: ConnectionListener,
): WebSocketConnection => {
  let hasReceived = false;
  const stop = (): void => {
    silence.stop();
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  };
  const finish = (end: ConnectionEnd): void => {
    stop();
    listener.ended(end);
  };
  const send = (message: WireMessage): void => socket.send(JSON.stringify(message));
  const silence = watchSilence(session, maxSilence, [
    () => (hasReceived ? send({ type: 'ping' }) : undefined),
    () => finish({ kind: 'failed', error: new TimeoutError(maxSilence, { operation }) }),
  ]);
  socket.onmessage = ({ data }) => {
    silence.received();
    hasReceived = true;
    const message = decodeWireMessage(data, session.largestAnswerBytes);
    if (message === undefined) finish(createProtocolError());
    else listener.received(message, String(data).length);
  };
  socket.onclose = (closed) => finish(toConnectionEnd(closed, hasReceived));
  // What failed is told by the close that follows.
  socket.onerror = () => undefined;
  return { send: send, close: stop };
};
