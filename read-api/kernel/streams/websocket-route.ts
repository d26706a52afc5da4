/** GET /v1/streams: one WebSocket for any number of streams, open as long as the client sends fresh tokens. */
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../../../infra/ports/runtime/log';
import type { CallerKeys } from '../../../infra/server/http/identity/caller-keys';
import { readTicket } from '../../../infra/server/http/identity/socket-ticket';
import { problem } from '../../../infra/server/http/problem';
import { type StreamEnd, streamEnds } from '../../../infra/server/http/streaming/stream-end';
import { openSession, type Session } from '../../../infra/server/http/streaming/stream-session';
import type { CallerSocketRoute, SocketCaller } from '../../../infra/server/ws/endpoint';
import type { Socket } from '../../../infra/server/ws/socket';
import type { Stream } from './stream-definition';
import { checkQuota, type StreamService } from './stream-service';
import { type ClientMessage, parseClientMessage, serverMessages } from './websocket-messages';
import { openSubscriptions, type Subscriptions } from './websocket-subscriptions';

export interface StreamSocketOptions {
  readonly streaming: StreamService;
  readonly streams: readonly Stream[];
  /** Tickets are verified with them. */
  readonly callerKeys: CallerKeys;
  readonly log: Log;
  /** A socket that follows nothing for so long is closed. */
  readonly idleMilliseconds?: number;
}

interface SocketSession {
  readonly session: Session;
  readonly subscriptions: Subscriptions;
  readonly socket: Socket;
}

/** Only of the same principal: a socket does not change hands. */
const authenticate = (
  options: StreamSocketOptions,
  { session, socket, subscriptions }: SocketSession,
  ticket: string,
): void => {
  const { streaming, callerKeys } = options;
  const read = readTicket(ticket, callerKeys, Date.parse(streaming.clock.now()));
  if (isLeft(read)) return void socket.send(serverMessages.refused(problem('unauthenticated', read.left)));
  if (!session.renew(read.right.identity))
    return void socket.send(serverMessages.refused(problem('forbidden', 'The ticket is of another principal.')));
  if (socket.closed.aborted) return;
  socket.send(serverMessages.authenticated(session.expiresAt()));
  subscriptions.review();
};

const handleMessage = (options: StreamSocketOptions, conversation: SocketSession, message: ClientMessage): void => {
  const { socket, subscriptions } = conversation;
  switch (message.type) {
    case 'subscribe':
      subscriptions.begin(message).catch((error: unknown) => {
        options.log.error({ error }, 'defect in a subscription');
        socket.end(streamEnds.unavailable);
      });
      return;
    case 'unsubscribe':
      subscriptions.end(message.id);
      return;
    case 'authenticate':
      authenticate(options, conversation, message.ticket);
      return;
    case 'ping':
      socket.send(serverMessages.pong());
  }
};

const watchIdle = ({ socket, subscriptions }: SocketSession, idleMilliseconds: number): void => {
  let idle = false;
  const timer = setInterval(() => {
    if (subscriptions.count() > 0) idle = false;
    else if (idle) socket.end(streamEnds.idle);
    else idle = true;
  }, idleMilliseconds);
  socket.closed.addEventListener('abort', () => clearInterval(timer));
};

const begin = (options: StreamSocketOptions, { identity }: SocketCaller, socket: Socket) => {
  const { streaming, streams, idleMilliseconds = 60_000 } = options;
  const session = openSession(streaming, identity);
  const leave = streaming.quota.acquire(identity);
  const left = streaming.streamMetrics.joined('websocket');
  const ended = (): void => socket.end(session.ended.reason as StreamEnd);
  socket.closed.addEventListener('abort', () => {
    session.close();
    leave();
    left(session.ended.aborted ? (session.ended.reason as StreamEnd).code : undefined);
  });
  const subscriptions = openSubscriptions({ streaming, streams, session, socket });
  const conversation = { session, subscriptions, socket };
  if (session.ended.aborted) ended();
  else session.ended.addEventListener('abort', ended, { once: true });
  watchIdle(conversation, idleMilliseconds);
  socket.send(serverMessages.welcome(session.expiresAt()));
  return (content: unknown): void => {
    const message = parseClientMessage(content);
    if (isLeft(message)) socket.end(streamEnds.malformed);
    else handleMessage(options, conversation, message.right);
  };
};

export const streamSocket = (options: StreamSocketOptions): CallerSocketRoute => ({
  path: '/v1/streams',
  protocol: 'septet.streams.v1',
  scopes: [],
  admit: (caller) => checkQuota(options.streaming, caller.identity) ?? ((socket) => begin(options, caller, socket)),
});
