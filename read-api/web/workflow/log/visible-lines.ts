/** Which rows of a long list are in view. Browsers bound the height of an element, so very long lists scroll proportionally. */

export interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
  readonly count: number;
}

export const rowHeight = 24;

/** Below what browsers allow: Firefox ends at about 17.8 million pixels. */
const mostHeight = 8_000_000;

/** Rendered beyond the view, so that scrolling shows no gaps. */
const margin = 20;

export interface VisibleLines {
  /** Of the whole list, in pixels. */
  readonly height: number;
  /** Indexes of the first row, and after the last. */
  readonly from: number;
  readonly to: number;
  /** Where the first row is, in pixels. */
  readonly top: number;
}

export const listHeight = (count: number): number => Math.min(count * rowHeight, mostHeight);

const isExact = (count: number): boolean => count * rowHeight <= mostHeight;

/** Rows above the view, in proportion to the pixels above it. */
const scrollableRows = ({ height, count }: Omit<Viewport, 'scrollTop'>): number =>
  Math.max(0, count - height / rowHeight);

/** The row at the upper edge of the view, with the fraction of it that is above. */
export const topRow = ({ scrollTop, height, count }: Viewport): number => {
  if (isExact(count)) return scrollTop / rowHeight;
  const share = scrollTop / Math.max(1, listHeight(count) - height);
  return Math.min(1, Math.max(0, share)) * scrollableRows({ height, count });
};

/** The scroll position that has the row at the upper edge. */
export const scrollTopAt = (row: number, { height, count }: Omit<Viewport, 'scrollTop'>): number => {
  const above = Math.max(0, row);
  if (isExact(count)) return above * rowHeight;
  return (above / Math.max(1, scrollableRows({ height, count }))) * (listHeight(count) - height);
};

/** The scroll position that has the row in the middle of the view. */
export const scrollTopOf = (row: number, { height, count }: Omit<Viewport, 'scrollTop'>): number =>
  scrollTopAt(row - height / rowHeight / 2, { height, count });

export const visibleLines = ({ scrollTop, height, count }: Viewport): VisibleLines => {
  const exact = topRow({ scrollTop, height, count });
  const first = Math.max(0, Math.floor(exact));
  const from = Math.max(0, first - margin);
  const to = Math.min(count, first + Math.ceil(height / rowHeight) + 1 + margin);
  const top = isExact(count) ? from * rowHeight : scrollTop - (exact - from) * rowHeight;
  return { height: listHeight(count), from, to, top };
};
