/** Makes the client: its methods are the generated operations. */
import { execute, follow, query } from './calls';
import type { Client, ProblemOf } from './client';
import { isProblem } from './errors';
import { bySse, type Followed } from './follow/by-sse';
import type { FollowOptions } from './follow/following';
import { openSockets, type Sockets } from './follow/sockets';
import * as operations from './generated/operations';
import type { Operations } from './generated/types';
import type { Row } from './operation';
import type { ClientOptions, CommandOptions, QueryOptions } from './options';
import { inputOfNext, itemsOf, pagesBy } from './pages';
import type { Platform } from './platform';
import type { Input } from './request';
import { openSession, type Session } from './session';

const pages = (session: Session, row: Row) => {
  const one = (input: Input = {}, options?: QueryOptions) => query(session, { row, input }, options);
  const all = (first: Input = {}, options?: QueryOptions) => pagesBy(row, (input) => one(input, options), first);
  const items = (input?: Input, options?: QueryOptions) => itemsOf(all(input, options));
  const next = (input: Input, body: unknown) => inputOfNext(row, input, body);
  return Object.assign(one, { pages: all, items, next });
};

const stream = (session: Session, row: Row, sockets: Sockets) => {
  const bySocket = (_session: Session, followed: Followed) => sockets(followed);
  return (input: Input = {}, { transport, ...options }: FollowOptions = {}) =>
    follow(session, { row, input }, { ...options, connectBy: transport === 'websocket' ? bySocket : bySse });
};

const methodOf = (session: Session, row: Row, sockets: Sockets): unknown => {
  switch (row.kind) {
    case 'command':
    case 'write':
      return (input: Input = {}, options?: CommandOptions) => execute(session, { row, input }, options);
    case 'query':
      return (input: Input = {}, options?: QueryOptions) => query(session, { row, input }, options);
    case 'page':
      return pages(session, row);
    case 'stream':
      return stream(session, row, sockets);
  }
};

/** `platform`: what tests put in place of clocks, chance and the network. */
export const connectOn = (options: ClientOptions, platform: Partial<Platform>): Client => {
  const session = openSession(options, platform);
  const sockets = openSockets(session);
  const methods = Object.values<{ readonly row: Row }>(operations).map(({ row }) => [
    row.operation,
    methodOf(session, row, sockets),
  ]);
  const own = {
    position: session.positions.highest,
    sawPosition: session.positions.saw,
    close: session.close,
  };
  return { ...Object.fromEntries(methods), ...own } as Client;
};

/** A client of one server for one caller. Keep it: it remembers what it has done, for its queries to wait for. */
export const connect = (options: ClientOptions = {}): Client => connectOn(options, {});

/** Whether an operation was refused; its code is then one of those the operation has. */
export const isRefusalOf = <Name extends keyof Operations>(error: unknown, operation: Name): error is ProblemOf<Name> =>
  isProblem(error) && error.context.operation === operation;
