/** An event on its way to a consumer: where it is found again, never the event itself. */

export interface Message {
  /** Orders messages: the revision in the stream or the position in `$all`; among the parked when it is replayed. */
  readonly at: number;
  /** The place looked at before it: a checkpoint there is behind this message and ahead of all before it. */
  readonly previous: number;
  /** How many places had been looked at, this one included. */
  readonly sequence: number;
  /** Of its record in the log. */
  readonly position: number;
  /** By which it is acknowledged. */
  readonly id: string;
  /** Messages with the same number go to the same consumer where the strategy pins them. */
  readonly pin: number;
  readonly retries: number;
  /** Was parked before, and was read from there. */
  readonly replayed: boolean;
}

/** A message as a page has it. */
export interface FoundEvent extends Pick<Message, 'at' | 'position' | 'id' | 'pin'> {
  /** Undefined for the first place of the page. */
  readonly previous: number | undefined;
  /** Counts the places of the page from 1. */
  readonly ordinal: number;
}

export interface Page {
  readonly found: readonly FoundEvent[];
  /** How many places were looked at, whether they matched or not. */
  readonly scanned: number;
  /** The last of them; undefined when there was none. */
  readonly last: number | undefined;
  /** Where to go on. */
  readonly next: number;
  /** There is nothing more for now. */
  readonly end: boolean;
}

export interface Consumer {
  readonly id: number;
  /** How many messages it may hold. */
  readonly slots: number;
  inFlight: number;
  total: number;
  /** Milliseconds from giving out to settling, of the newest; undefined: not wanted. */
  readonly latencies: number[] | undefined;
}

export interface InFlightMessage {
  readonly message: Message;
  readonly consumer: Consumer;
  /** When it was given out. */
  readonly since: number;
  /** Milliseconds, as `now` is given; infinite without a timeout. */
  readonly expires: number;
}

export type NackAction = 'unknown' | 'park' | 'retry' | 'skip' | 'stop';

export type Input =
  | { readonly kind: 'connected'; readonly consumer: number; readonly slots: number }
  | { readonly kind: 'disconnected'; readonly consumer: number }
  /** There may be more to read. */
  | { readonly kind: 'rung' }
  | { readonly kind: 'read'; readonly page: Page }
  | { readonly kind: 'acked'; readonly ids: readonly string[] }
  | { readonly kind: 'nacked'; readonly ids: readonly string[]; readonly action: NackAction; readonly reason: string }
  /** Its record is no longer there. */
  | { readonly kind: 'gone'; readonly id: string }
  | { readonly kind: 'parked'; readonly id: string; readonly stored: boolean }
  /** The revisions of what is parked, both inclusive. */
  | { readonly kind: 'replay'; readonly first: number; readonly last: number; readonly stopAt: number | undefined }
  | { readonly kind: 'parked-read'; readonly page: Page }
  | { readonly kind: 'truncated'; readonly before: number; readonly stored: boolean }
  | { readonly kind: 'checkpointed'; readonly at: number; readonly sequence: number; readonly stored: boolean }
  | { readonly kind: 'due' };

export type Effect =
  | { readonly kind: 'send'; readonly consumer: number; readonly message: Message }
  | { readonly kind: 'read'; readonly from: number; readonly limit: number }
  | { readonly kind: 'read-parked'; readonly from: number; readonly limit: number }
  | { readonly kind: 'park'; readonly message: Message; readonly reason: string }
  /** What was replayed below this is settled. */
  | { readonly kind: 'truncate-parked'; readonly before: number }
  | { readonly kind: 'checkpoint'; readonly at: number; readonly sequence: number };
