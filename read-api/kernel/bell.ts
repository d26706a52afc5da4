/** Wakes all who wait, once for everything that happened in one turn of the event loop. */
export interface Bell {
  readonly strike: () => void;
  /** Resolves at the next strike, or when the signal aborts. */
  readonly heard: (signal: AbortSignal) => Promise<void>;
}

export const openBell = (): Bell => {
  const waiting = new Set<() => void>();
  let struck = false;
  const wake = (): void => {
    struck = false;
    for (const waking of [...waiting]) waking();
  };
  return {
    strike: () => {
      if (struck || waiting.size === 0) return;
      struck = true;
      setImmediate(wake);
    },
    heard: (signal) =>
      new Promise((resolve) => {
        const waking = (): void => {
          waiting.delete(waking);
          signal.removeEventListener('abort', waking);
          resolve();
        };
        if (signal.aborted) return resolve();
        waiting.add(waking);
        signal.addEventListener('abort', waking, { once: true });
      }),
  };
};
