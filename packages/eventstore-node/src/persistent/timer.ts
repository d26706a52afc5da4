/** One timer for all that a group waits for. */

export interface Timer {
  /** Calls at the time or soon after; one that is set for an earlier time is let run, it asks again. */
  readonly at: (time: number) => void;
  readonly stop: () => void;
}

const longest = 2 ** 31 - 1;

export const createTimer = (now: () => number, wake: () => void): Timer => {
  let due = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
  };
  return {
    at: (time) => {
      if (time >= due) return;
      stop();
      due = time;
      timer = setTimeout(
        () => {
          due = Number.POSITIVE_INFINITY;
          wake();
        },
        Math.min(Math.max(Math.ceil(time - now()), 0), longest),
      );
      timer.unref();
    },
    stop,
  };
};
