/**
 * Measures waits by the time in which this process could have received an answer: each turn of the event loop counts at
 * most `maxPerTurn`, however long it took.
 */
export interface LoopClock {
  /** Starts a measurement; call the result once to get milliseconds. */
  readonly start: () => () => number;
}

export const createLoopClock = (maxPerTurn: number): LoopClock => {
  const turnMilliseconds = Math.max(1, Math.floor(maxPerTurn / 2));
  let [counted, turnedAt, measurements] = [0, 0, 0];
  let isTurning = false;
  const read = (): number => counted + Math.min(performance.now() - turnedAt, maxPerTurn);
  const turn = (): void => {
    counted = read();
    turnedAt = performance.now();
    isTurning = measurements > 0;
    // Answers that have arrived are handled before the turn is counted.
    if (isTurning) setTimeout(() => setImmediate(turn), turnMilliseconds);
  };
  return {
    start: () => {
      measurements += 1;
      if (!isTurning) turn();
      const began = read();
      return () => {
        measurements -= 1;
        return read() - began;
      };
    },
  };
};
