/** The longest streams of a log: a short list, however many there are. */
export interface Length {
  readonly number: number;
  readonly first: number;
  readonly last: number;
}

const lengthOf = ({ first, last }: Length): number => last - first + 1;

export interface Longest {
  readonly offer: (stream: Length) => void;
  /** Longest first. */
  readonly list: () => readonly Length[];
}

export const keepLongest = (most: number): Longest => {
  const kept: Length[] = [];
  return {
    offer: (stream) => {
      const shortest = kept.at(-1);
      if (kept.length === most && shortest !== undefined && lengthOf(stream) <= lengthOf(shortest)) return;
      const before = kept.findIndex((other) => lengthOf(other) < lengthOf(stream));
      kept.splice(before < 0 ? kept.length : before, 0, stream);
      kept.length = Math.min(kept.length, most);
    },
    list: () => kept,
  };
};
