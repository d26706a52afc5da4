/** Which lines of a long list are in view. Browsers bound the height of an element, so very long lists scroll proportionally. */

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
  /** Indexes of the first line, and after the last. */
  readonly from: number;
  readonly to: number;
  /** Where the first line is, in pixels. */
  readonly top: number;
}

export const listHeight = (count: number): number => Math.min(count * rowHeight, mostHeight);

export const visibleLines = ({ scrollTop, height, count }: Viewport): VisibleLines => {
  const whole = listHeight(count);
  const shown = Math.ceil(height / rowHeight);
  const reach = Math.max(1, whole - height);
  const share = Math.min(1, Math.max(0, scrollTop / reach));
  const exact = whole === count * rowHeight ? scrollTop / rowHeight : share * Math.max(0, count - height / rowHeight);
  const first = Math.max(0, Math.floor(exact));
  const from = Math.max(0, first - margin);
  const to = Math.min(count, first + shown + 1 + margin);
  const top = whole === count * rowHeight ? from * rowHeight : scrollTop - (exact - from) * rowHeight;
  return { height: whole, from, to, top };
};

/** The scroll position that has the line (an index) in the middle of the view. */
export const scrollTopOf = (index: number, { height, count }: Omit<Viewport, 'scrollTop'>): number => {
  const whole = listHeight(count);
  const above = Math.max(0, index - height / rowHeight / 2);
  if (whole === count * rowHeight) return above * rowHeight;
  return (above / Math.max(1, count - height / rowHeight)) * (whole - height);
};
