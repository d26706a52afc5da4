/** Aborted when the given signal is, and at the latest after so many milliseconds. */
export const limited = (signal: AbortSignal, milliseconds: number): AbortSignal => {
  const end = new AbortController();
  const abort = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    end.abort();
  };
  // A request's signal aborts when its answer is complete, so the timer does not outlive it.
  const timer = setTimeout(abort, milliseconds);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return end.signal;
};
