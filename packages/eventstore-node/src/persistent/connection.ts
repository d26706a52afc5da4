/** One consumer of a group, as its call sees it. */
import type { StoredRecord } from '../storage/record';
import type { Message, NackAction } from './message';

/** The call's side. */
export interface Port {
  /** Queued until the client reads. */
  readonly send: (message: Message) => void;
  /** Ends the call. */
  readonly drop: (error: unknown) => void;
}

export interface Peer {
  readonly userName: string;
  readonly connectionName: string;
  readonly slots: number;
}

/** The group's side. */
export interface Connection {
  readonly resolveLinks: boolean;
  readonly ack: (ids: readonly string[]) => void;
  readonly nack: (ids: readonly string[], action: NackAction, reason: string) => void;
  /** The record to send; undefined when the message is no longer this consumer's, or no longer there. */
  readonly load: (message: Message) => StoredRecord | undefined;
  /** Not for this consumer's eyes: counts as handled. */
  readonly pass: (message: Message) => void;
  readonly leave: () => void;
}
