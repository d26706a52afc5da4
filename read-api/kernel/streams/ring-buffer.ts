/** The newest entries of a log, a fixed number of them, found by position. */
interface PositionedItem {
  readonly position: bigint;
}

export interface RingBuffer<Entry extends PositionedItem> {
  readonly push: (entry: Entry) => void;
  /** Notes that everything up to a position has been seen, when there is nothing to keep of it. */
  readonly skipTo: (position: bigint) => void;
  /** The first entry after a position; asks for a position not below `floor`. */
  readonly next: (position: bigint) => Entry | undefined;
  /** Everything after it is here; what stood at it or before has left. */
  readonly floor: () => bigint;
  /** Everything up to it has been seen. */
  readonly last: () => bigint;
}

export const createRingBuffer = <Entry extends PositionedItem>(capacity: number, start: bigint): RingBuffer<Entry> => {
  const places: Entry[] = [];
  let oldest = 0;
  let floor = start;
  let last = start;
  const at = (index: number): Entry | undefined => places[(oldest + index) % capacity];
  const pass = (position: bigint): void => {
    last = position;
  };
  const push = (entry: Entry): void => {
    pass(entry.position);
    if (places.length < capacity) return void places.push(entry);
    floor = at(0)?.position ?? floor;
    places[oldest] = entry;
    oldest = (oldest + 1) % capacity;
  };
  const next = (position: bigint): Entry | undefined => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((at(middle)?.position ?? 0n) <= position) low = middle + 1;
      else high = middle;
    }
    return low < places.length ? at(low) : undefined;
  };
  return { push, skipTo: pass, next, floor: () => floor, last: () => last };
};
