/** Which lines of a log are rows of the view: groups fold, and the lines that end them are not shown. */
import type { LineMarker } from './log-lines';

export interface LogGroup {
  /** The number of its heading. */
  readonly from: number;
  /** After its last line; the line that ends it is after that. */
  readonly to: number;
  readonly isOpen: boolean;
}

export interface LogRows {
  readonly count: number;
  readonly groups: readonly LogGroup[];
  /** The number of the line that is the row. */
  readonly lineAt: (row: number) => number;
  /** The row of a line, or of the heading that hides it. */
  readonly rowOf: (number: number) => number;
  readonly groupOf: (number: number) => LogGroup | undefined;
}

interface Hidden {
  readonly from: number;
  readonly to: number;
  /** Lines that are hidden before these. */
  readonly before: number;
}

interface Options {
  readonly first: number;
  readonly end: number;
  readonly markers: readonly LineMarker[];
  /** By the number of the heading: what the reader chose. */
  readonly chosen: ReadonlyMap<number, boolean>;
  /** Its group is open. */
  readonly visibleLine?: number | undefined;
}

/** A group ends with its mark, where the next begins, or with the log. Ended groups fold, unless an error is in them. */
const groupsOf = ({ first, end, markers, chosen, visibleLine = 0 }: Options): readonly LogGroup[] => {
  const groups: LogGroup[] = [];
  let begun: { readonly from: number; hasError: boolean } | undefined;
  const close = (to: number, isEnded: boolean): void => {
    if (begun === undefined) return;
    const { from, hasError } = begun;
    groups.push({
      from,
      to,
      isOpen: chosen.get(from) ?? (!isEnded || hasError || (visibleLine > from && visibleLine < to)),
    });
    begun = undefined;
  };
  for (const { number, kind } of markers) {
    if (number < first) continue;
    if (kind === 'error' && begun !== undefined) begun.hasError = true;
    if (kind === 'group' || kind === 'endgroup') close(number, true);
    if (kind === 'group') begun = { from: number, hasError: false };
  }
  close(end, false);
  return groups;
};

/** The last of a sorted list that is at or before the value, by index; -1 without one. */
const lastAtMost = <Item>(items: readonly Item[], value: number, of: (item: Item) => number): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (of(items[middle] as Item) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

export const rowsOf = (options: Options): LogRows => {
  const { first, end, markers } = options;
  const groups = groupsOf(options);
  const folded = groups.filter(({ isOpen, from, to }) => !isOpen && to > from + 1);
  const ranges = [
    ...folded.map(({ from, to }) => [from + 1, to] as const),
    ...markers
      .filter(({ number, kind }) => kind === 'endgroup' && number >= first)
      .map(({ number }) => [number, number + 1] as const),
  ].sort(([one], [other]) => one - other);
  let before = 0;
  const hidden = ranges.map(([from, to]): Hidden => {
    const range = { from, to, before };
    before += to - from;
    return range;
  });
  return {
    count: Math.max(0, end - first - before),
    groups,
    lineAt: (row) => {
      const range = hidden[lastAtMost(hidden, row, ({ from, before: gone }) => from - first - gone)];
      return first + row + (range === undefined ? 0 : range.before + range.to - range.from);
    },
    rowOf: (number) => {
      const range = hidden[lastAtMost(hidden, number, ({ from }) => from)];
      if (range === undefined) return number - first;
      const isHidden = number < range.to;
      const nearest = isHidden ? range.from - 1 : number;
      return Math.max(0, nearest - first - range.before - (isHidden ? 0 : range.to - range.from));
    },
    groupOf: (number) => {
      const group = groups[lastAtMost(groups, number, ({ from }) => from)];
      return group !== undefined && number < group.to ? group : undefined;
    },
  };
};
