/** So many at once, the others in the order they came. */
export const openTurns = (most: number): (<A>(work: () => Promise<A>) => Promise<A>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = async (): Promise<void> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
  };
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (work) => {
    await begin();
    try {
      return await work();
    } finally {
      end();
    }
  };
};
