/** Presence of members, as sent to the others. */
import * as t from 'io-ts';
import { finite, record, text } from '../../kernel/codec';
import { DocumentId, NodeId } from '../ids';

export const Point = record('Point', { x: finite, y: finite });
export const Viewport = record('Viewport', { x: finite, y: finite, zoom: finite });
export const Selection = t.array(NodeId, 'SelectedNodeIds');

export const ConnectionId = text('ConnectionId', { maxLength: 64 });

export const Presence = record(
  'Presence',
  {
    documentId: DocumentId,
    userId: text('UserId', { maxLength: 128 }),
    connectionId: ConnectionId,
    selectedNodeIds: Selection,
    /** Milliseconds since 1970. */
    expiresAt: finite,
  },
  { cursor: Point, viewport: Viewport },
);
export type Presence = t.TypeOf<typeof Presence>;

/** Connection and cursor position, if nothing else changed since the last full update. */
export const CursorMove = t.tuple([ConnectionId, finite, finite], 'Moved');
export type CursorMove = t.TypeOf<typeof CursorMove>;

/** Sent by clients that support `moved`. */
export const cursorMovesCapability = 'presence:moved';
