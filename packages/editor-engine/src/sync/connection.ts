/** A socket to the document's owner that reconnects until it is stopped; encodes and decodes messages. */

import { isRight } from 'fp-ts/Either';
import type { Decoder } from 'io-ts';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { type ServerMessage, serverMessages } from '../../../../domain/editor/protocol/server-messages';
import type { Platform } from '../ports/platform';
import type { Transport, TransportClose, TransportConnection } from '../ports/transport';
import { backoff } from './backoff';
import { type Heartbeat, heartbeat } from './heartbeat';
import { startTicketRenewal, type TicketRenewal } from './ticket-renewal';

export interface ConnectionOptions {
  readonly platform: Platform;
  readonly transport: Transport;
  readonly documentId: string;
  /** The first message on each socket. */
  readonly join: () => ClientMessage;
  readonly onMessage: (message: Exclude<DecodedMessage, 'unknown' | 'malformed'>) => void;
  /** Called before the next socket is opened. */
  readonly onEnd: (end: TransportClose) => void;
  readonly fault: (error: unknown) => void;
}

interface Connection {
  readonly options: ConnectionOptions;
  line: TransportConnection | undefined;
  /** Cancels the open timeout. */
  opening: (() => void) | undefined;
  heartbeat: Heartbeat | undefined;
  renewal: TicketRenewal | undefined;
  /** Since the last stable connection. */
  failures: number;
  /** When the current socket joined. */
  joinedAt: number | undefined;
  /** Cancels the scheduled reconnect. */
  waiting: (() => void) | undefined;
  isStopped: boolean;
}

/** Behind some proxies, or after the machine slept, a socket never opens. */
const openTimeoutMilliseconds = 15_000;

const dropSocket = (connection: Connection): void => {
  const { line, opening, heartbeat: activeHeartbeat, renewal } = connection;
  Object.assign(connection, { line: undefined, opening: undefined, heartbeat: undefined, renewal: undefined });
  opening?.();
  activeHeartbeat?.stop();
  renewal?.stop();
  line?.close();
};

const sendMessage = ({ line }: Connection, message: ClientMessage): void => line?.send(JSON.stringify(message));

const receive = (connection: Connection, text: string): void => {
  const { options } = connection;
  const message = decodeMessage(text);
  connection.heartbeat?.reset();
  if (message === 'unknown') return;
  if (message === 'malformed') {
    options.fault(new Error('The owner sent a malformed message.'));
    handleEnd(connection, { code: 4400, reason: 'malformed-message' });
    return;
  }
  if (message.type === 'joined') {
    connection.joinedAt = options.platform.now();
    connection.renewal?.setExpiry(message.expiresAt);
  }
  options.onMessage(message);
};

const openSocket = (connection: Connection): void => {
  const { options } = connection;
  const { platform, transport, documentId } = options;
  connection.waiting = undefined;
  // A closed socket may still deliver events.
  const isThis = (): boolean => connection.line === line;
  const dead = (): void => handleEnd(connection, { code: 0, reason: 'silent' });
  const line: TransportConnection = transport.open(documentId, {
    onOpen: () => {
      if (!isThis()) return;
      connection.opening?.();
      connection.heartbeat = heartbeat(platform, () => sendMessage(connection, { type: 'ping' }), dead);
      connection.renewal = startTicketRenewal({ platform, transport }, (ticket) =>
        isThis() ? sendMessage(connection, { type: 'authenticate', ticket }) : undefined,
      );
      sendMessage(connection, options.join());
    },
    onMessage: (text) => (isThis() ? receive(connection, text) : undefined),
    onClose: (end) => (isThis() ? handleEnd(connection, end) : undefined),
  });
  connection.line = line;
  connection.opening = platform.schedule(openTimeoutMilliseconds, dead);
};

const scheduleReconnect = (connection: Connection, milliseconds: number): void => {
  connection.waiting?.();
  connection.waiting = connection.options.platform.schedule(milliseconds, () => openSocket(connection));
};

/** A connection that ends soon after the join counts as a failure; an unreadable snapshot causes that. */
const stableMilliseconds = 10_000;

const failuresSoFar = ({ joinedAt, failures, options: { platform } }: Connection): number =>
  joinedAt !== undefined && platform.now() - joinedAt >= stableMilliseconds ? 0 : failures;

function handleEnd(connection: Connection, end: TransportClose): void {
  const { platform, onEnd } = connection.options;
  dropSocket(connection);
  const failures = failuresSoFar(connection);
  Object.assign(connection, { failures: failures + 1, joinedAt: undefined });
  onEnd(end);
  if (connection.isStopped) return;
  scheduleReconnect(connection, backoff({ failures, isVisible: platform.isVisible(), random: platform.random }));
}

export interface OpenConnection {
  readonly send: (message: ClientMessage) => void;
  readonly sendText: (text: string) => void;
  /** Ends the socket and reconnects soon. */
  readonly restart: (reason: string) => void;
  /** Reconnects now instead of after the delay. */
  readonly reconnectNow: () => void;
  /** Until `start` is called. */
  readonly stop: () => void;
  readonly start: () => void;
}

export const openConnection = (options: ConnectionOptions): OpenConnection => {
  const connection: Connection = {
    options,
    line: undefined,
    opening: undefined,
    heartbeat: undefined,
    renewal: undefined,
    failures: 0,
    joinedAt: undefined,
    waiting: undefined,
    isStopped: true,
  };
  return {
    send: (message) => sendMessage(connection, message),
    sendText: (text) => connection.line?.send(text),
    restart: (reason) => (connection.line === undefined ? undefined : handleEnd(connection, { code: 0, reason })),
    reconnectNow: () => (connection.waiting === undefined ? undefined : scheduleReconnect(connection, 0)),
    stop: () => {
      connection.isStopped = true;
      connection.waiting?.();
      connection.waiting = undefined;
      dropSocket(connection);
    },
    start: () => {
      if (!connection.isStopped) return;
      connection.isStopped = false;
      scheduleReconnect(connection, 0);
    },
  };
};

export type DecodedMessage = ServerMessage | 'unknown' | 'malformed';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isKnown = (type: unknown): type is keyof typeof serverMessages =>
  typeof type === 'string' && Object.hasOwn(serverMessages, type);

const decodeMessage = (text: string): DecodedMessage => {
  const words = parseJson(text);
  if (typeof words !== 'object' || words === null || !('type' in words)) return 'malformed';
  // Newer servers may send unknown types.
  if (!isKnown(words.type)) return 'unknown';
  const codec: Decoder<unknown, ServerMessage> = serverMessages[words.type];
  const decoded = codec.decode(words);
  return isRight(decoded) ? decoded.right : 'malformed';
};
