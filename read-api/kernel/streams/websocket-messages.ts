/** Messages of the streams' WebSocket, both ways. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, record, text } from '../../../domain/kernel/codec';
import type { Problem } from '../../../infra/server/http/problem';
import type { ServerSentEvent } from '../../../infra/server/http/routing/route';

/** Chosen by the client, for one stream that it follows on this socket. */
const SubscriptionId = text('SubscriptionId', { maxLength: 32, pattern: '[A-Za-z0-9_-]+' });

const messages = {
  subscribe: record(
    'Subscribe',
    { type: t.literal('subscribe'), id: SubscriptionId, stream: text('StreamName', { maxLength: 64 }) },
    { filter: t.UnknownRecord, after: text('StreamId', { maxLength: 2048 }) },
  ),
  unsubscribe: record('Unsubscribe', { type: t.literal('unsubscribe'), id: SubscriptionId }),
  authenticate: record('Authenticate', {
    type: t.literal('authenticate'),
    ticket: text('Ticket', { maxLength: 12_000 }),
  }),
  ping: record('Ping', { type: t.literal('ping') }),
};

export type Subscribe = t.TypeOf<typeof messages.subscribe>;
export type ClientMessage = t.TypeOf<(typeof messages)[keyof typeof messages]>;

const Typed = record('Typed', { type: t.keyof(messages) });

export const parseClientMessage = (content: unknown): Either<unknown, ClientMessage> => {
  const typed = decode(Typed, content);
  if (isLeft(typed)) return left(typed.left);
  return decode<ClientMessage>(messages[typed.right.type] as t.Decoder<unknown, ClientMessage>, content);
};

const bytes = (message: object): Buffer => Buffer.from(JSON.stringify(message));

export const serverMessages = {
  welcome: (expiresAt: number) => bytes({ type: 'welcome', expires_at: new Date(expiresAt).toISOString() }),
  authenticated: (expiresAt: number) => bytes({ type: 'authenticated', expires_at: new Date(expiresAt).toISOString() }),
  subscribed: (id: string) => bytes({ type: 'subscribed', subscription: id }),
  /** `problem`: why it ended, when the client did not request it. */
  unsubscribed: (id: string, why?: Problem) =>
    bytes({ type: 'unsubscribed', subscription: id, ...(why === undefined ? {} : { problem: why.problem }) }),
  refused: (problem: Problem, id?: string) =>
    bytes({ type: 'refused', ...(id === undefined ? {} : { subscription: id }), problem: problem.problem }),
  pong: () => bytes({ type: 'pong' }),
};

const marks = new Set(['ready', 'checkpoint']);

/** Everything of a message but whose it is; the data is JSON already. */
const tailOf = ({ id, event = 'message', data }: ServerSentEvent): string => {
  const position = id === undefined ? '' : `"id":${JSON.stringify(id)},`;
  if (marks.has(event)) return `${position}"type":"${event}"}`;
  return `${position}"type":"event","event":${JSON.stringify(event)},"data":${data}}`;
};

interface EncodedMessage {
  readonly subscription: string;
  readonly bytes: Buffer;
}

const lastEncoded = new WeakMap<ServerSentEvent, EncodedMessage>();

/** Encoded once for all subscriptions with the same id, which instances of one client share. */
export const eventMessage = (subscription: string, event: ServerSentEvent): Buffer => {
  const known = lastEncoded.get(event);
  if (known?.subscription === subscription) return known.bytes;
  const made = { subscription, bytes: Buffer.from(`{"subscription":"${subscription}",${tailOf(event)}`) };
  lastEncoded.set(event, made);
  return made.bytes;
};
