/** The newest entries of a log, a fixed number of them, found by position. */
interface PositionedItem {
  readonly position: bigint;
}

export interface RingBuffer<Entry extends PositionedItem> {
  readonly push: (entry: Entry) => void;
  /** Advances `last` without adding an entry. */
  readonly skipTo: (position: bigint) => void;
  /** The first entry after a position, which must not be below `floor`. */
  readonly next: (position: bigint) => Entry | undefined;
  /** The buffer has every entry after this position; earlier ones were overwritten. */
  readonly floor: () => bigint;
  /** Position of the newest entry, pushed or skipped. */
  readonly last: () => bigint;
}

export const createRingBuffer = <Entry extends PositionedItem>(capacity: number, start: bigint): RingBuffer<Entry> => {
  const entries: Entry[] = [];
  let oldest = 0;
  let floor = start;
  let last = start;
  const at = (index: number): Entry | undefined => entries[(oldest + index) % capacity];
  const pass = (position: bigint): void => {
    last = position;
  };
  const push = (entry: Entry): void => {
    pass(entry.position);
    if (entries.length < capacity) return void entries.push(entry);
    floor = at(0)?.position ?? floor;
    entries[oldest] = entry;
    oldest = (oldest + 1) % capacity;
  };
  const next = (position: bigint): Entry | undefined => {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((at(middle)?.position ?? 0n) <= position) low = middle + 1;
      else high = middle;
    }
    return low < entries.length ? at(low) : undefined;
  };
  return { push, skipTo: pass, next, floor: () => floor, last: () => last };
};
