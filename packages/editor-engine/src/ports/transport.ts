import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { Scene } from '../../../../domain/editor/scene/scene';

/** Port: the connection to the document's owner, tickets, and snapshot bytes. */
export interface TransportConnection {
  readonly send: (text: string) => void;
  /** No events follow. */
  readonly close: () => void;
}

export interface TransportClose {
  /** WebSocket close code; 0 if it never opened. */
  readonly code: number;
  readonly reason: string;
}

export interface TransportListener {
  readonly onOpen: () => void;
  readonly onMessage: (text: string) => void;
  /** Called once; no events follow. */
  readonly onClose: (end: TransportClose) => void;
}

/** A credential for opening a socket or renewing it. */
export interface Ticket {
  readonly ticket: string;
  /** Milliseconds since 1970 at which the underlying token expires. */
  readonly expiresAt: number | undefined;
}

/** Does not call listeners synchronously. */
export interface Transport {
  readonly open: (documentId: string, listener: TransportListener) => TransportConnection;
  /** A fresh ticket for the open socket; omitted if none is needed. */
  readonly ticket?: () => Promise<Ticket>;
  /** Expiry of the ticket that opened the socket. */
  readonly expiresAt?: () => number | undefined;
  /** Downloads a signed URL. */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<Uint8Array>;
}

/** Loads the message's snapshot into a scene; rejects if a piece cannot be fetched or verified. */
export type LoadSnapshot = (message: ServerMessage<'snapshot'>, into: Scene, signal: AbortSignal) => Promise<void>;
