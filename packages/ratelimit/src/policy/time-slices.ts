/** Runs long computations in slices of the event loop, so that decisions continue in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A decision may wait for several slices: keep them small against the promised 10 ms. */
const sliceMilliseconds = 1;

/** Runs short steps to their end. Undefined: aborted. */
export const runInSlices = async <Result>(
  steps: Generator<undefined, Result>,
  signal?: AbortSignal,
): Promise<Result | undefined> => {
  while (signal?.aborted !== true) {
    const end = performance.now() + sliceMilliseconds;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
    await nextTurn();
  }
  return undefined;
};

/** Without pauses. */
export const runToEnd = <Result>(steps: Generator<undefined, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
