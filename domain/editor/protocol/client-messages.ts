/** What clients say on a document's WebSocket: the specification's messages, and fields and messages beside them. */
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
      /** 0: nothing is known here. */
      lastCommittedVersion: integer(0),
      /** `schema:<n>` for each that is spoken (`../schemas.ts`); what is unknown is left alone. */
      capabilities: t.array(text('Capability', { maxLength: 64 }), 'Capabilities'),
    },
    {
      /** Given at an earlier join; left out, a new one is issued. */
      clientId: ClientId,
      /** The highest of this client that it knows to be settled. */
      settledClientSeq: integer(0),
    },
  ),
  operations: record('SentOperations', {
    type: t.literal('operations'),
    documentId: DocumentId,
    /** That of the last operation in it. */
    clientSeq: integer(1),
    operations: t.array(Operation, 'OperationList'),
  }),
  presence: record(
    'SentPresence',
    { type: t.literal('presence') },
    { cursor: Point, viewport: Viewport, selectedNodeIds: Selection },
  ),
  ping: record('Ping', { type: t.literal('ping') }),
  /** A fresh token, as a ticket, on an open socket. */
  authenticate: record('Authenticate', {
    type: t.literal('authenticate'),
    ticket: text('Ticket', { maxLength: 12_000 }),
  }),
} as const;
type Types = keyof typeof clientMessages;
/** Any of them, or those of a type. */
export type ClientMessage<Type extends Types = Types> = {
  [Each in Type]: t.TypeOf<(typeof clientMessages)[Each]>;
}[Type];
