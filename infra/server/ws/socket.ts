/** One WebSocket as services use it: text messages both ways, backpressure, and an end with a reason. Writes of one tick are coalesced. */
import type { Socket as Connection } from 'node:net';
import { isLeft } from 'fp-ts/Either';
import type { WebSocket } from 'ws';
import type { Log } from '../../ports/runtime/log';
import { type StreamEnd, streamEnds } from '../http/streaming/stream-end';
import { parseJson, type TooDeep } from '../http/untrusted-json';
import { createTokenBucket } from './token-bucket';

export interface Socket {
  /** JSON text in UTF-8. False when the client is behind: wait until it is `ready`. */
  readonly send: (text: Buffer) => boolean;
  /** Resolves once the client has taken what waits for it, or is gone. */
  readonly ready: () => Promise<void>;
  readonly end: (end: StreamEnd) => void;
  /** Aborted when nothing can be sent any more. */
  readonly closed: AbortSignal;
}

/** What a client sends, parsed: decode it. `bytes` is how long it was. */
export type Message = (content: unknown, bytes: number) => void;

export interface ConnectionLimits {
  readonly heartbeatMilliseconds: number;
  /** Heartbeats without a sign of life. */
  readonly mostMissed: number;
  readonly messagesAtOnce: number;
  readonly messagesPerSecond: number;
  /** Maximum buffered bytes for a client that keeps sending requests without reading. */
  readonly mostUnread: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  heartbeatMilliseconds: 20_000,
  mostMissed: 3,
  messagesAtOnce: 100,
  messagesPerSecond: 20,
  mostUnread: 262_144,
};

export interface OpenedSocket {
  readonly webSocket: WebSocket;
  readonly connection: Connection;
  readonly pace: ConnectionLimits;
  readonly log: Log;
  readonly tooDeep?: TooDeep | undefined;
}

/** A client is alive while it sends anything or reads any of the bytes that wait for it. */
const watchLife = ({ webSocket, connection, pace }: OpenedSocket): { readonly markAlive: () => void } => {
  let alive = true;
  let taken = 0;
  let missed = 0;
  const timer = setInterval(() => {
    const now = connection.bytesWritten - connection.writableLength;
    missed = alive || (connection.writableLength > 0 && now !== taken) ? 0 : missed + 1;
    taken = now;
    alive = false;
    if (missed >= pace.mostMissed) return webSocket.terminate();
    if (connection.writableLength === 0 && webSocket.readyState === webSocket.OPEN) webSocket.ping();
    // Counted after the ping, so that its own bytes do not count as the client's progress.
    taken = connection.bytesWritten - connection.writableLength;
  }, pace.heartbeatMilliseconds);
  webSocket.once('close', () => clearInterval(timer));
  return {
    markAlive: () => {
      alive = true;
    },
  };
};

const drains = (connection: Connection): (() => Promise<void>) => {
  let waiting: Promise<void> | undefined;
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        waiting = undefined;
        connection.off('drain', done).off('close', done);
        resolve();
      };
      connection.once('drain', done).once('close', done);
    });
  // All senders on this connection share one wait.
  return async () => {
    if (connection.destroyed || !connection.writableNeedDrain) return;
    waiting ??= wait();
    await waiting;
  };
};

const receive = (opened: OpenedSocket, end: (end: StreamEnd) => void, message: Message): void => {
  const { webSocket, connection, pace, log, tooDeep } = opened;
  const life = watchLife(opened);
  const allowance = createTokenBucket(pace.messagesAtOnce, pace.messagesPerSecond);
  const taken = (): boolean => {
    life.markAlive();
    if (webSocket.readyState !== webSocket.OPEN) return false;
    if (allowance.take() && connection.writableLength <= pace.mostUnread) return true;
    end(streamEnds.flood);
    return false;
  };
  webSocket.on('ping', (data) => {
    if (taken()) webSocket.pong(data);
  });
  webSocket.on('pong', life.markAlive);
  webSocket.on('error', (error) => log.debug({ error }, 'socket failed'));
  webSocket.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (!taken()) return;
    if (isBinary) return end(streamEnds.binary);
    const content = parseJson(bytes, tooDeep);
    if (isLeft(content)) return end(streamEnds.malformed);
    message(content.right, bytes.length);
  });
};

/** Of connections that `ws` itself ends, which gives the code and no reason (RFC 6455, section 7.4.1). */
const reasons = new Map([
  [1002, 'protocol-error'],
  [1007, 'not-utf-8'],
  [1008, 'too-many-fragments'],
  [1009, 'message-too-large'],
]);

const addCloseReasons = (webSocket: WebSocket): void => {
  const close = webSocket.close.bind(webSocket);
  webSocket.close = (code, reason = reasons.get(code ?? 0)) => close(code, reason);
};

export const openSocket = (opened: OpenedSocket, begin: (socket: Socket) => Message): Socket => {
  const { webSocket, connection } = opened;
  addCloseReasons(webSocket);
  const closing = new AbortController();
  const end = (why: StreamEnd): void => {
    if (closing.signal.aborted) return;
    webSocket.close(why.closeCode, why.code);
    closing.abort();
  };
  webSocket.once('close', () => closing.abort());
  const gather = coalesceWrites(connection);
  const socket: Socket = {
    send: (text) => {
      if (closing.signal.aborted) return false;
      gather();
      webSocket.send(text, { binary: false });
      return !connection.writableNeedDrain;
    },
    ready: drains(connection),
    end,
    closed: closing.signal,
  };
  receive(opened, end, begin(socket));
  return socket;
};

/** Called before something is sent. */
const coalesceWrites = (connection: Connection): (() => void) => {
  let isGathering = false;
  const over = (): void => {
    isGathering = false;
    connection.uncork();
  };
  return () => {
    if (isGathering) return;
    isGathering = true;
    connection.cork();
    // After everything that follows at once, promises included.
    process.nextTick(over);
  };
};
