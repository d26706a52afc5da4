/**
 * Queries stop before the session does: those under way while the person signs out would be refused, which browsers log as errors, and the
 * page would report a session that ended by itself.
 */

/** `go-on`: the session goes on. `over`: it has ended, and the results of its queries are of no use. */
export type PauseEnd = 'go-on' | 'over';

let running = new AbortController();
let paused: Promise<PauseEnd> | undefined;

/** Aborts queries and streams under way, and holds back further ones until the function that it returns is called. */
export const pauseQueries = (): ((end: PauseEnd) => void) => {
  let settle: (end: PauseEnd) => void = () => undefined;
  paused = new Promise((resolve) => {
    settle = resolve;
  });
  running.abort();
  running = new AbortController();
  return (end) => {
    paused = undefined;
    settle(end);
  };
};

/** Resolves at once where queries are not paused. */
export const pauseEnd = async (): Promise<PauseEnd> => paused ?? 'go-on';

/** Aborts with the next pause, and with the given signal. */
export const untilPause = (signal: AbortSignal | undefined): AbortSignal =>
  signal === undefined ? running.signal : AbortSignal.any([signal, running.signal]);
