/** A long list of a policy, which may be read entry by entry from its text; arrays are such lists. */
export interface Entries<Entry> {
  readonly length: number;
  /** From 0 to below `length`. */
  readonly at: (index: number) => Entry | undefined;
}

/** In the place of an entry whose text is no JSON: what is wrong with it. */
export class UnreadableEntry {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Read and changed each time it is asked for. */
export const mapEntries = <From, To>(entries: Entries<From>, change: (entry: From) => To): Entries<To> => ({
  length: entries.length,
  at: (index) => {
    const entry = entries.at(index);
    return entry === undefined ? undefined : change(entry);
  },
});
