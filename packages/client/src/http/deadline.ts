/** A signal that also aborts by itself after a while. */

export interface Deadline {
  readonly signal: AbortSignal;
  readonly milliseconds: number;
  /** Whether the time ran out, as opposed to an abort by the caller's signal. */
  readonly isExceeded: () => boolean;
  /** Restarts the timer, with the previous duration or a new one. */
  readonly restart: (milliseconds?: number) => void;
  readonly pause: () => void;
  /** Removes the timer and the listener. */
  readonly end: () => void;
}

export const startDeadline = (callerSignal: AbortSignal | undefined, milliseconds: number): Deadline => {
  const ending = new AbortController();
  let isExceeded = false;
  const leave = (): void => ending.abort(callerSignal?.reason);
  const run = (): void => {
    isExceeded = true;
    ending.abort();
  };
  const begin = (rest: number) => (Number.isFinite(rest) ? setTimeout(run, rest) : undefined);
  let timer = begin(milliseconds);
  if (callerSignal?.aborted === true) leave();
  else callerSignal?.addEventListener('abort', leave, { once: true });
  return {
    signal: ending.signal,
    milliseconds,
    isExceeded: () => isExceeded,
    restart: (rest = milliseconds) => {
      clearTimeout(timer);
      if (!ending.signal.aborted) timer = begin(rest);
    },
    pause: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', leave);
    },
  };
};
