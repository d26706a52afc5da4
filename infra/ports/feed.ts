/** Changes of a view as they are written, kept for a while, for those who hold the view in memory. */
export type FeedEntry =
  | {
      readonly kind: 'row';
      readonly row: unknown;
      /** Milliseconds since 1970, by the store's clock. */
      readonly at: number;
    }
  /** Whoever writes the view had caught up with the log just now. Only live ones are told, never those of the past. */
  | { readonly kind: 'beat' };

export interface Feed {
  /** What is still kept, then what follows. Throws when the store goes away; ends when the signal aborts. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<FeedEntry>;
}
