/** Reports the progress of a long task as JSON lines, at most one per second. */

type ProgressCounts = Readonly<Record<string, number>>;

const minIntervalMilliseconds = 1_000;

export const createProgressPrinter = (output: { write(text: string): unknown }): ((counts: ProgressCounts) => void) => {
  let last = performance.now();
  return (counts) => {
    const now = performance.now();
    if (now - last < minIntervalMilliseconds) return;
    last = now;
    output.write(`${JSON.stringify(counts)}\n`);
  };
};
