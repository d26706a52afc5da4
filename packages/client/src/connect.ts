/** Makes the client: its methods are the generated operations. */
import { execute, follow, query } from './calls';
import type { Client, ProblemOf } from './client';
import { isProblem } from './errors';
import * as operations from './generated/operations';
import type { Operations } from './generated/types';
import type { Input } from './http/build-request';
import type { Row } from './operation';
import type { ClientOptions, CommandOptions, QueryOptions } from './options';
import { iterateItems, iteratePages, nextPageInput } from './pagination';
import type { Platform } from './platform';
import { openSession, type Session } from './session';
import type { FollowOptions } from './streams/follow-stream';
import { connectSse, type StreamRequest } from './streams/sse-connection';
import { openWebSocketPool, type WebSocketPool } from './streams/websocket-pool';

const createPageMethod = (session: Session, row: Row) => {
  const one = (input: Input = {}, options?: QueryOptions) => query(session, { row, input }, options);
  const all = (first: Input = {}, options?: QueryOptions) => iteratePages(row, (input) => one(input, options), first);
  const items = (input?: Input, options?: QueryOptions) => iterateItems(all(input, options));
  const next = (input: Input, body: unknown) => nextPageInput(row, input, body);
  return Object.assign(one, { pages: all, items, next });
};

const isOnSocket = ({ stream }: Row, transport: FollowOptions['transport']): boolean =>
  transport === 'websocket' && stream !== undefined;

const createStreamMethod = (session: Session, row: Row, webSockets: WebSocketPool) => {
  const bySocket = (_session: Session, streamRequest: StreamRequest) => webSockets(streamRequest);
  return (input: Input = {}, { transport, ...options }: FollowOptions = {}) =>
    // A stream without a name is not on the shared socket.
    follow(session, { row, input }, { ...options, connectBy: isOnSocket(row, transport) ? bySocket : connectSse });
};

const createMethod = (session: Session, row: Row, webSockets: WebSocketPool): unknown => {
  switch (row.kind) {
    case 'command':
    case 'write':
      return (input: Input = {}, options?: CommandOptions) => execute(session, { row, input }, options);
    case 'query':
      return (input: Input = {}, options?: QueryOptions) => query(session, { row, input }, options);
    case 'page':
      return createPageMethod(session, row);
    case 'stream':
      return createStreamMethod(session, row, webSockets);
  }
};

/** `platform`: replacements of the clock, the random source and the network, for tests. */
export const connectWithPlatform = (options: ClientOptions, platform: Partial<Platform>): Client => {
  const session = openSession(options, platform);
  const webSockets = openWebSocketPool(session);
  const methods = Object.values<{ readonly row: Row }>(operations).map(({ row }) => [
    row.operation,
    createMethod(session, row, webSockets),
  ]);
  const own = {
    position: session.positions.highest,
    observePosition: session.positions.observe,
    close: session.close,
  };
  return { ...Object.fromEntries(methods), ...own } as Client;
};

/** A client of one server for one caller. Reuse it: it remembers the position of its commands, for which its queries wait. */
export const connect = (options: ClientOptions = {}): Client => connectWithPlatform(options, {});

/** Whether the server refused the operation; narrows the error to the codes of the operation. */
export const isRefusalOf = <Name extends keyof Operations>(error: unknown, operation: Name): error is ProblemOf<Name> =>
  isProblem(error) && error.context.operation === operation;
