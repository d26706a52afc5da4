/** The log: EventStoreDB as the rest of the house sees it. Positions are its commit positions; revisions start at 0. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

export interface NewEvent {
  /** UUID, derived from the command so that a retry makes the same one. */
  readonly id: string;
  /** `<context>.<Event>.v<n>` */
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
  /** Fields of the data that must not be written as they are, each with its subject: a store over the vault seals them. */
  readonly secrets?: { readonly [field: string]: string };
}

export interface StoredEvent extends Omit<NewEvent, 'secrets'> {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
}

/** What the stream must look like for an append to succeed; a number is the last revision. */
export type Expected = number | 'no-stream' | 'any';

export interface Appended {
  /** Of the last event written. */
  readonly revision: number;
  readonly position: bigint;
}

/** The stream is not as expected; `revision` is what it is at, null when there is no stream. */
export interface WrongRevision {
  readonly kind: 'wrong-revision';
  readonly revision: number | null;
}

/**
 * `event-store-unavailable`: nothing is known to be written. `event-store-ambiguous`: the answer was lost, the append may
 * be there: read before trying again. `event-refused`: too large, or refused for good. `vault-unavailable`: nothing is
 * written or read, for there are secrets in it whose keys cannot be had right now.
 */
export type EventStoreFault = Fault<
  'event-store-unavailable' | 'event-store-ambiguous' | 'event-refused' | 'vault-unavailable'
>;

/** By prefix of the stream's name or of the event's type; system events (`$…`) are never seen. */
export interface EventFilter {
  readonly streams?: readonly string[];
  readonly types?: readonly string[];
}

export type SubscriptionSignal =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  /** Every matching event up to here has been delivered; nothing matching was skipped. */
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  /** The end of the log was reached; live events follow. */
  | { readonly kind: 'caught-up' };

export interface ReadAll {
  /** Exclusive: events after this position; null from the beginning. */
  readonly after: bigint | null;
  readonly filter?: EventFilter;
  readonly limit?: number;
  readonly direction?: 'forwards' | 'backwards';
}

export interface SubscribeAll {
  /** Exclusive; null from the beginning. */
  readonly after: bigint | null;
  readonly filter?: EventFilter;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

export interface EventStore {
  readonly append: (
    stream: string,
    expected: Expected,
    events: readonly NewEvent[],
  ) => Promise<Either<EventStoreFault | WrongRevision, Appended>>;
  /** The events of a stream from a revision on (inclusive), in order; empty when there is no stream. */
  readonly read: (stream: string, from?: number) => Promise<Either<EventStoreFault, readonly StoredEvent[]>>;
  /** The commit position of the newest event, null when the log is empty. */
  readonly head: () => Promise<Either<EventStoreFault, bigint | null>>;
  /** The iteration throws when the store goes away. */
  readonly readAll: (request: ReadAll) => AsyncIterable<StoredEvent>;
  /** Catches up, then follows. Reconnects by itself; every event exactly once and in order while it lasts. */
  readonly subscribeAll: (request: SubscribeAll) => AsyncIterable<SubscriptionSignal>;
  readonly close: () => Promise<void>;
}
