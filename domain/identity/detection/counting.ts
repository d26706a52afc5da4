/** What rules count with. All states are plain JSON, so that they survive a restart. */

/** A sliding counter: this window, and the one before, weighted by how much of it is still in sight (specification section 8). */
export interface SlidingCount {
  /** Begin of this window; milliseconds since 1970. */
  readonly from: number;
  readonly count: number;
  readonly previous: number;
}

/** Clocks of gateways differ: what is earlier counts to this window. */
export const counted = (state: SlidingCount | undefined, at: number, windowMilliseconds: number): SlidingCount => {
  if (state === undefined || at >= state.from + 2 * windowMilliseconds) return { from: at, count: 1, previous: 0 };
  if (at < state.from + windowMilliseconds) return { ...state, count: state.count + 1 };
  return { from: state.from + windowMilliseconds, count: 1, previous: state.count };
};

export const estimate = ({ from, count, previous }: SlidingCount, at: number, windowMilliseconds: number): number => {
  const passed = Math.min(Math.max(at - from, 0), windowMilliseconds);
  return count + previous * (1 - passed / windowMilliseconds);
};

/** Different values, each with when it was last seen, the latest last. */
export type RecentValues = readonly (readonly [value: string, at: number])[];

export interface Window {
  readonly at: number;
  readonly windowMilliseconds: number;
  /** Values that are kept; the earliest go first. */
  readonly most: number;
}

export const withValue = (
  values: RecentValues | undefined,
  value: string,
  { at, windowMilliseconds, most }: Window,
): RecentValues => {
  const recent = (values ?? []).filter(([one, seenAt]) => one !== value && seenAt > at - windowMilliseconds);
  return [...recent.slice(-(most - 1)), [value, at] as const].slice(-most);
};
