/** Long computations on the event loop, a slice at a time: decisions go on in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A decision waits for a slice a few times: what it adds is to be small beside the 10 ms that are promised. */
const sliceMilliseconds = 1;

/** Runs steps, each of them short, to their end. Undefined: aborted before that. */
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

/** In one piece. */
export const runToEnd = <Result>(steps: Generator<undefined, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
