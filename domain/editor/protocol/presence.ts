/** Who is where in a document, as members of it are told. */
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

/** Whose cursor is where: nothing else of theirs changed since they were told whole, which they are now and then. */
export const CursorMove = t.tuple([ConnectionId, finite, finite], 'Moved');
export type CursorMove = t.TypeOf<typeof CursorMove>;

/** Said by clients that read `moved`. */
export const cursorMovesCapability = 'presence:moved';
