/** GET /v1/streams: one WebSocket for any number of streams, open for as long as fresh tokens are shown on it. */
import { isLeft } from 'fp-ts/Either';
import type { CallerKeys } from '../../infra/http/caller-keys';
import { ends, type StreamEnd } from '../../infra/http/ends';
import { problem } from '../../infra/http/problem';
import { openSession, type Session } from '../../infra/http/stream-session';
import { readTicket } from '../../infra/http/ticket';
import type { Log } from '../../infra/ports/log';
import type { SocketCaller, SocketRoute } from '../../infra/ws/door';
import type { Socket } from '../../infra/ws/socket';
import type { Stream } from './stream';
import { type ClientMessage, messageIn, said } from './stream-messages';
import { openSubscriptions, type Subscriptions } from './stream-subscriptions';
import { noPlace, type Streaming } from './streaming';

export interface StreamSocketOptions {
  readonly streaming: Streaming;
  readonly streams: readonly Stream[];
  /** Tickets are verified with them. */
  readonly callerKeys: CallerKeys;
  readonly log: Log;
  /** A socket that follows nothing for so long is closed. */
  readonly idleMilliseconds?: number;
}

interface Conversation {
  readonly session: Session;
  readonly subscriptions: Subscriptions;
  readonly socket: Socket;
}

/** Only of the same principal: a socket does not change hands. */
const authenticate = (
  options: StreamSocketOptions,
  { session, socket, subscriptions }: Conversation,
  ticket: string,
): void => {
  const { streaming, callerKeys } = options;
  const read = readTicket(ticket, callerKeys, Date.parse(streaming.clock.now()));
  if (isLeft(read)) return void socket.send(said.refused(problem('unauthenticated', read.left)));
  if (!session.renew(read.right.identity))
    return void socket.send(said.refused(problem('forbidden', 'The ticket is of another principal.')));
  if (socket.closed.aborted) return;
  socket.send(said.authenticated(session.expiresAt()));
  subscriptions.review();
};

const take = (options: StreamSocketOptions, conversation: Conversation, message: ClientMessage): void => {
  const { socket, subscriptions } = conversation;
  switch (message.type) {
    case 'subscribe':
      subscriptions.begin(message).catch((error: unknown) => {
        options.log.error({ error }, 'defect in a subscription');
        socket.end(ends.unavailable);
      });
      return;
    case 'unsubscribe':
      subscriptions.end(message.id);
      return;
    case 'authenticate':
      authenticate(options, conversation, message.ticket);
      return;
    case 'ping':
      socket.send(said.pong());
  }
};

const watchIdle = ({ socket, subscriptions }: Conversation, idleMilliseconds: number): void => {
  let idle = false;
  const timer = setInterval(() => {
    if (subscriptions.count() > 0) idle = false;
    else if (idle) socket.end(ends.idle);
    else idle = true;
  }, idleMilliseconds);
  socket.closed.addEventListener('abort', () => clearInterval(timer));
};

const begin = (options: StreamSocketOptions, { identity }: SocketCaller, socket: Socket) => {
  const { streaming, streams, idleMilliseconds = 60_000 } = options;
  const session = openSession(streaming, identity);
  const leave = streaming.places.take(identity);
  const left = streaming.figures.joined('websocket');
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
  socket.send(said.welcome(session.expiresAt()));
  return (content: unknown): void => {
    const message = messageIn(content);
    if (isLeft(message)) socket.end(ends.malformed);
    else take(options, conversation, message.right);
  };
};

export const streamSocket = (options: StreamSocketOptions): SocketRoute => ({
  path: '/v1/streams',
  protocol: 'septet.streams.v1',
  scopes: [],
  admit: (caller) => noPlace(options.streaming, caller.identity) ?? ((socket) => begin(options, caller, socket)),
});
