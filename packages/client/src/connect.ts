/** Makes the client: its methods are rows of the generated table. */
import { type Call, perform } from './call';
import type { Client, ProblemOf } from './client';
import { isProblem } from './errors';
import { bySse } from './follow/by-sse';
import { type Following, type FollowOptions, following } from './follow/following';
import { openSockets, type Sockets } from './follow/sockets';
import { table } from './generated/table';
import type { Operations } from './generated/types';
import type { Row } from './operation';
import type { ClientOptions, CommandOptions, QueryOptions } from './options';
import { inputOfNext, itemsOf, pagesBy } from './pages';
import type { Platform } from './platform';
import { type Input, prepared } from './request';
import { openSession, type Session } from './session';

type Headers = Readonly<Record<string, string>>;

const given = (headers: { readonly [name: string]: string | undefined }): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Headers;

const understands = ({ headers = [] }: Row, name: string): boolean => headers.includes(name);

const commandOf = (session: Session, row: Row, [input = {}, options = {}]: [Input?, CommandOptions?]) => {
  const named = understands(row, 'Idempotency-Key');
  const idempotencyKey = named ? (options.idempotencyKey ?? session.platform.uuid()) : undefined;
  const headers = given({ 'idempotency-key': idempotencyKey, 'if-match': options.ifMatch });
  const call: Call = { row, input, headers, options, repeatable: named };
  return idempotencyKey === undefined ? call : { ...call, idempotencyKey };
};

const command =
  (session: Session, row: Row) =>
  async (...asked: [Input?, CommandOptions?]) => {
    const answered = await perform(session, commandOf(session, row, asked));
    session.positions.saw(answered.position);
    return answered;
  };

type Asking = QueryOptions & { readonly ifNoneMatch?: string };

const floorOf = (session: Session, row: Row, { minPosition }: Asking): string | undefined => {
  if (!understands(row, 'Min-Position') || minPosition === 'none') return undefined;
  return minPosition ?? session.positions.highest();
};

const query =
  (session: Session, row: Row) =>
  async (input: Input = {}, options: Asking = {}) => {
    const headers = given({
      'min-position': floorOf(session, row, options),
      'if-min-revision': options.minRevision,
      'if-none-match': options.ifNoneMatch,
    });
    return perform(session, { row, input, headers, options, repeatable: true });
  };

const pages = (session: Session, row: Row) => {
  const one = query(session, row);
  const all = (first: Input = {}, options: QueryOptions = {}) => pagesBy(row, (input) => one(input, options), first);
  const items = (input?: Input, options?: QueryOptions) => itemsOf(all(input, options));
  const next = (input: Input, body: unknown) => inputOfNext(row, input, body);
  return Object.assign(one, { pages: all, items, next });
};

const usualSilence = 45_000;

const stream = (session: Session, row: Row, sockets: Sockets) => {
  return (filter: Input = {}, options: FollowOptions = {}): Following<unknown> => {
    const { url } = prepared(session.base, row, {});
    const { headers = {}, silenceMilliseconds = usualSilence, transport = 'sse' } = options;
    const followed = { row, filter, headers, silenceMilliseconds };
    const connect = transport === 'sse' ? bySse(session, followed) : sockets(followed);
    return following({ session, operation: row.operation, url, connect, options });
  };
};

const methodOf = (session: Session, row: Row, sockets: Sockets): unknown => {
  switch (row.kind) {
    case 'command':
    case 'write':
      return command(session, row);
    case 'query':
      return query(session, row);
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
  const methods = Object.values<Row>(table).map((row) => [row.operation, methodOf(session, row, sockets)]);
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
