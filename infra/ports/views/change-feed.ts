import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** Capped feed of a view's changes, for processes that hold the view in memory. */
export type ChangeFeedEntry =
  | {
      readonly kind: 'row';
      readonly row: unknown;
      /** Milliseconds since 1970, by the store's clock. */
      readonly at: number;
    }
  /** The view's writer has caught up with the log. Sent live only, never replayed. */
  | { readonly kind: 'beat'; readonly payload?: unknown };

export interface ChangeFeed {
  /** Retained entries, then live ones. Throws when the store goes away; ends when the signal aborts. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<ChangeFeedEntry>;
}

export interface ChangeFeedWriter {
  /** Position of the last append; undefined when the feed is empty or lost. */
  readonly lastPosition: () => Promise<Either<Fault, string | undefined>>;
  /** With a position, the append also states that the feed is complete up to there. */
  readonly append: (rows: readonly unknown[], position?: string) => Promise<Either<Fault, void>>;
  readonly close: () => Promise<void>;
}
