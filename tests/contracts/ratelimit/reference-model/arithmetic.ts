/** What a model of a limit answers, in exact arithmetic. */
export interface Verdict {
  readonly over: boolean;
  readonly remaining: bigint;
  readonly wait: bigint;
}

export interface ModelLimit {
  /** Changes nothing. Times in microseconds. */
  readonly check: (cost: bigint, clock: bigint) => Verdict;
  readonly take: (cost: bigint, clock: bigint) => void;
  /** What was taken then came to more, or to less. */
  readonly correct: (taken: Taken, delta: bigint, clock: bigint) => void;
}

export interface Taken {
  readonly cost: bigint;
  readonly at: bigint;
  /** In the order in which they were taken. */
  readonly which: number;
}

export const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value);
export const ceiling = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;
export const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
