/** At most so many at a time; the rest wait in order. */
export type Turns = <A>(work: () => Promise<A>) => Promise<A>;

export const turns = (most: number): Turns => {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const enter = (): Promise<void> => {
    if (underWay < most) {
      underWay += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    // The place is handed on, so that nobody who comes now overtakes.
    if (next === undefined) underWay -= 1;
    else next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
