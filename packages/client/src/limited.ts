/** A signal that also aborts by itself after a while. */

export interface Limited {
  readonly signal: AbortSignal;
  readonly milliseconds: number;
  /** It was the time, not the given signal. */
  readonly isOver: () => boolean;
  /** Begins the time anew, as long as before or as long as this. */
  readonly again: (milliseconds?: number) => void;
  readonly pause: () => void;
  /** Called once it is not needed any more: nothing is left behind. */
  readonly end: () => void;
}

export const limited = (given: AbortSignal | undefined, milliseconds: number): Limited => {
  const ending = new AbortController();
  let isOver = false;
  const leave = (): void => ending.abort(given?.reason);
  const run = (): void => {
    isOver = true;
    ending.abort();
  };
  const begin = (rest: number) => (Number.isFinite(rest) ? setTimeout(run, rest) : undefined);
  let timer = begin(milliseconds);
  if (given?.aborted === true) leave();
  else given?.addEventListener('abort', leave, { once: true });
  return {
    signal: ending.signal,
    milliseconds,
    isOver: () => isOver,
    again: (rest = milliseconds) => {
      clearTimeout(timer);
      if (!ending.signal.aborted) timer = begin(rest);
    },
    pause: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      given?.removeEventListener('abort', leave);
    },
  };
};
