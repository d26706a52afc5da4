/** An event on its way to a consumer: its place in the log, never its bytes. */

export interface Message {
  /**
   * Orders messages: the revision in the stream or the position in `$all`; for a replayed one, its revision in the
   * parked stream.
   */
  readonly at: number;
  /** The place read before it: a checkpoint there is before this message and after all earlier ones. */
  readonly previous: number;
  /** How many places had been read, this one included. */
  readonly sequence: number;
  /** The position of its record in the log. */
  readonly position: number;
  /** The id that acknowledgements name. */
  readonly id: string;
  /** Pinned strategies send messages with the same number to the same consumer. */
  readonly pin: number;
  readonly retries: number;
  /** Read from the parked stream. */
  readonly replayed: boolean;
}

/** A message as read in a page. */
export interface FoundEvent extends Pick<Message, 'at' | 'position' | 'id' | 'pin'> {
  /** Undefined for the first place of the page. */
  readonly previous: number | undefined;
  /** Counts the places of the page from 1. */
  readonly ordinal: number;
}

export interface Page {
  readonly found: readonly FoundEvent[];
  /** How many places were read, whether they matched or not. */
  readonly scanned: number;
  /** The last of them; undefined when there was none. */
  readonly last: number | undefined;
  /** Where the next page begins. */
  readonly next: number;
  /** There is nothing more to read for now. */
  readonly end: boolean;
}

export interface Consumer {
  readonly id: number;
  /** How many messages it may hold. */
  readonly slots: number;
  inFlight: number;
  total: number;
  /** The newest times from delivery to acknowledgement, in milliseconds; undefined: not measured. */
  readonly latencies: number[] | undefined;
}

export interface InFlightMessage {
  readonly message: Message;
  readonly consumer: Consumer;
  /** When it was delivered. */
  readonly since: number;
  /** In milliseconds on the clock of `now`; infinite without a timeout. */
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
