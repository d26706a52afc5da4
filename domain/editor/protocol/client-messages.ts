/**
 * Messages from client to server on a document's WebSocket: the specification's, with additional fields and messages.
 */
import * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';
import { ClientId, DocumentId } from '../ids';
import { Operation } from '../operation';
import { Point, Selection, Viewport } from './presence';

export const clientMessages = {
  join: record(
    'Join',
    {
      type: t.literal('join'),
      documentId: DocumentId,
      /** 0 if the client has nothing. */
      lastCommittedVersion: integer(0),
      /** `schema:<n>` for each supported version (`../schema-versions.ts`); unknown capabilities are ignored. */
      capabilities: t.array(text('Capability', { maxLength: 64 }), 'Capabilities'),
    },
    {
      /** From an earlier join; if omitted, a new one is issued. */
      clientId: ClientId,
      /** The highest sequence that the client knows to be settled. */
      settledClientSeq: integer(0),
    },
  ),
  operations: record('SentOperations', {
    type: t.literal('operations'),
    documentId: DocumentId,
    /** Sequence of the last operation. */
    clientSeq: integer(1),
    operations: t.array(Operation, 'OperationList'),
  }),
  presence: record(
    'SentPresence',
    { type: t.literal('presence') },
    { cursor: Point, viewport: Viewport, selectedNodeIds: Selection },
  ),
  ping: record('Ping', { type: t.literal('ping') }),
  /** A fresh token, as a ticket, for the open socket. */
  authenticate: record('Authenticate', {
    type: t.literal('authenticate'),
    ticket: text('Ticket', { maxLength: 12_000 }),
  }),
} as const;
type Types = keyof typeof clientMessages;
/** All messages, or those of a type. */
export type ClientMessage<Type extends Types = Types> = {
  [Each in Type]: t.TypeOf<(typeof clientMessages)[Each]>;
}[Type];
