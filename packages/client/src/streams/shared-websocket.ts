/** One WebSocket for many streams: opened with a ticket, renewed with fresh ones, closed when its last stream leaves. */
import type { WebSocketLike } from '../platform';
import type { Session } from '../session';
import type { ConnectionEnd } from './stream-message';
import { createChannels, createSubscribeMessage, leftByClient, type WebSocketChannel } from './websocket-channel';
import { type WebSocketConnection, type WireMessage, wrapWebSocket } from './websocket-connection';

export interface SharedWebSocket {
  /** Returns the function that removes the channel. */
  readonly add: (channel: WebSocketChannel) => () => void;
  readonly count: () => number;
}

interface SharedListener {
  readonly received: (message: WireMessage, size: number, connection: WebSocketConnection) => void;
  readonly ended: (how: ConnectionEnd) => void;
}

export interface SharedWebSocketOptions {
  readonly session: Session;
  readonly silenceMilliseconds: number;
  readonly ticket: () => Promise<string>;
  readonly over: () => void;
}

const protocol = 'septet.streams.v1';
const renewBeforeMilliseconds = 20_000;
const minRenewalMilliseconds = 1_000;
/** Longer timers overflow. */
const maxTimerMilliseconds = 2_000_000_000;

/** Milliseconds until a token that expires then is renewed. */
const renewalDelay = (expiresAt: unknown): number => {
  const rest = Date.parse(String(expiresAt)) - Date.now();
  if (Number.isNaN(rest)) return maxTimerMilliseconds;
  return Math.min(
    Math.max(rest - renewBeforeMilliseconds, Math.min(rest / 2, renewBeforeMilliseconds), minRenewalMilliseconds),
    maxTimerMilliseconds,
  );
};

/** Authenticates the open socket with a fresh token. */
const renewToken = async (
  { session, ticket }: SharedWebSocketOptions,
  connection: WebSocketConnection,
): Promise<void> => {
  const { signal } = new AbortController();
  await session.tokens.refresh(await session.tokens.authorize({ method: 'GET', url: session.base }, signal), signal);
  connection.send({ type: 'authenticate', ticket: await ticket() });
};

const createWebSocket = async (options: SharedWebSocketOptions): Promise<WebSocketLike> => {
  const { session, ticket } = options;
  const { WebSocket } = session.platform;
  if (WebSocket === undefined)
    throw new TypeError('There is no WebSocket here: give one in the options, or follow by sse.');
  const protocols = [protocol, `septet.ticket.${await ticket()}`];
  return new WebSocket(`${session.base.replace(/^http/, 'ws')}/v1/streams`, protocols);
};

/** Renews the token before it expires. A failure is not reported: the server then closes the socket. */
const createRenewals = (options: SharedWebSocketOptions) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const at = (expiresAt: unknown, connection: WebSocketConnection): void => {
    stop();
    timer = setTimeout(() => void renewToken(options, connection).catch(() => undefined), renewalDelay(expiresAt));
  };
  return { at, stop };
};

/** Opens the socket; returns the function that closes it, which also works before it is open. */
const startConnection = (options: SharedWebSocketOptions, listener: SharedListener): (() => void) => {
  const { session, silenceMilliseconds } = options;
  let connection: WebSocketConnection | undefined;
  let isClosed = false;
  const start = async (): Promise<void> => {
    const socket = await createWebSocket(options);
    if (isClosed) return socket.close();
    connection = wrapWebSocket(socket, {
      session,
      silenceMilliseconds,
      received: (message, size) => connection !== undefined && listener.received(message, size, connection),
      ended: listener.ended,
    });
  };
  start().catch((error: unknown) => listener.ended({ kind: 'failed', error }));
  return () => {
    isClosed = true;
    connection?.close();
  };
};

export const openSharedWebSocket = (options: SharedWebSocketOptions): SharedWebSocket => {
  const channels = createChannels();
  const renewal = createRenewals(options);
  let open: WebSocketConnection | undefined;
  let isOver = false;
  const ended = (how: ConnectionEnd): void => {
    if (isOver) return;
    isOver = true;
    renewal.stop();
    channels.finish(how);
    options.over();
  };
  const leave = (): void => {
    closeConnection();
    ended(leftByClient);
  };
  const remove = (id: string): void => {
    if (!channels.remove(id)) return;
    if (channels.count() > 0) open?.send({ type: 'unsubscribe', id });
    else leave();
  };
  const received = (message: WireMessage, size: number, connection: WebSocketConnection): void => {
    if (message.type === 'welcome' || message.type === 'authenticated') renewal.at(message.expires_at, connection);
    if (message.type === 'welcome') {
      open = connection;
      for (const one of channels.subscribeMessages()) connection.send(one);
    }
    const over = channels.dispatch(message, size);
    if (over !== undefined) remove(over);
  };
  const closeConnection = startConnection(options, { received: received, ended });
  return {
    add: (channel) => {
      const id = channels.add(channel);
      open?.send(createSubscribeMessage(id, channel));
      return () => remove(id);
    },
    count: channels.count,
  };
};
