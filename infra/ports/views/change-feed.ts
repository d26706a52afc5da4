import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** Changes of a view as they are written, kept for a while, for those who hold the view in memory. */
export type ChangeFeedEntry =
  | {
      readonly kind: 'row';
      readonly row: unknown;
      /** Milliseconds since 1970, by the store's clock. */
      readonly at: number;
    }
  /** Whoever writes the view had caught up with the log just now. Only live ones are told, never those of the past. */
  | { readonly kind: 'beat'; readonly said?: unknown };

export interface ChangeFeed {
  /** What is still kept, then what follows. Throws when the store goes away; ends when the signal aborts. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<ChangeFeedEntry>;
}

export interface ChangeFeedWriter {
  /** Up to where it was told, as who told it last said; undefined when the feed holds nothing, or has lost it. */
  readonly lastPosition: () => Promise<Either<Fault, string | undefined>>;
  /** With `told` it is a sign of life, too: everything up to there has been told. */
  readonly append: (rows: readonly unknown[], told?: string) => Promise<Either<Fault, void>>;
  readonly close: () => Promise<void>;
}
