/** Timing of benches, and the lines that they print. */

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The rival or raw floor, measured in the same run. */
  readonly baseline?: number;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

export const report = ({ name, value, unit, baseline }: Figure): void => {
  const compared =
    baseline === undefined
      ? { baseline: null, ratio: null }
      : { baseline: rounded(baseline), ratio: rounded(value / baseline) };
  console.log(JSON.stringify({ name, value: rounded(value), unit, ...compared }));
};

/** Things per second of an asynchronous task that does `count` of them. */
export const rate = async (count: number, task: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await task();
  return (count * 1000) / (performance.now() - started);
};

/** Runs `task` for 0…count-1 from that many callers at once. */
export const fromCallers = async (
  callers: number,
  count: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await task(index);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
