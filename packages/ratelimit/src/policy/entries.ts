/** A long list of a policy, parsed entry by entry on demand; arrays are such lists. */
export interface Entries<Entry> {
  readonly length: number;
  /** From 0 to below `length`. */
  readonly at: (index: number) => Entry | undefined;
}

/** Stands for an entry that is not valid JSON. */
export class UnreadableEntry {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Maps entries on each access. */
export const mapEntries = <From, To>(entries: Entries<From>, change: (entry: From) => To): Entries<To> => ({
  length: entries.length,
  at: (index) => {
    const entry = entries.at(index);
    return entry === undefined ? undefined : change(entry);
  },
});
