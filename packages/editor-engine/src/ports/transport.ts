import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { Scene } from '../../../../domain/editor/scene/scene';

/** How the engine talks with a document's owner. */
export interface Line {
  readonly send: (text: string) => void;
  /** Nothing is told after it. */
  readonly close: () => void;
}

export interface LineEnd {
  /** Of the WebSocket; 0 where it never opened. */
  readonly code: number;
  readonly reason: string;
}

export interface LineListener {
  readonly opened: () => void;
  readonly heard: (text: string) => void;
  /** Once; nothing is told after it. */
  readonly ended: (end: LineEnd) => void;
}

/** Something to be let in with, as a word in a message or in the request that opens the line. */
export interface Ticket {
  readonly ticket: string;
  /** Milliseconds since 1970; what it was made of ends then. */
  readonly expiresAt: number | undefined;
}

/** Listeners are never called within `open`. */
export interface Transport {
  readonly open: (documentId: string, listener: LineListener) => Line;
  /** A fresh one for a line that is open; left out where nothing has to be renewed. */
  readonly ticket?: () => Promise<Ticket>;
  /** When what the line was opened with ends; asked after it has opened. */
  readonly expiresAt?: () => number | undefined;
  /** The bytes behind a signed URL. */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<Uint8Array>;
}

/** Where the scenes come from that are told as snapshots. */

/** Rejects when it cannot be had as it was written. */
export type LoadSnapshot = (message: ServerMessage<'snapshot'>, into: Scene, signal: AbortSignal) => Promise<void>;
