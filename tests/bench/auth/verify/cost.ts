/** Processor time, of all threads, and how often something can be done in a second by one caller. */
export interface Cost {
  readonly cpuMicroseconds: number;
  readonly perSecond: number;
}

export const costOf = async (count: number, check: (index: number) => unknown): Promise<Cost> => {
  const [usage, began] = [process.cpuUsage(), performance.now()];
  for (let index = 0; index < count; index += 1) {
    const answer = check(index);
    if (answer instanceof Promise) await answer;
  }
  const { user, system } = process.cpuUsage(usage);
  return { cpuMicroseconds: (user + system) / count, perSecond: (count * 1000) / (performance.now() - began) };
};
