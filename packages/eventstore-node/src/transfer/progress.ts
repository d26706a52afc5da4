/** How far a long task is, one JSON line a second at most. */

type Figures = Readonly<Record<string, number>>;

const betweenMilliseconds = 1_000;

export const progressOn = (output: { write(text: string): unknown }): ((figures: Figures) => void) => {
  let last = performance.now();
  return (figures) => {
    const now = performance.now();
    if (now - last < betweenMilliseconds) return;
    last = now;
    output.write(`${JSON.stringify(figures)}\n`);
  };
};
