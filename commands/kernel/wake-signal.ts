/** Wakes a loop that waits, with a timeout and an abort signal. */
export interface WakeSignal {
  readonly notify: () => void;
  /** How often it was notified: a waiter that looked for work before sees whether more came meanwhile. */
  readonly notifications: () => number;
  /** Resolves at the next `notify`, after the milliseconds, or when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const createWakeSignal = (): WakeSignal => {
  const waiting = new Set<() => void>();
  let notifications = 0;
  return {
    notifications: () => notifications,
    notify: () => {
      notifications += 1;
      for (const wake of waiting) wake();
    },
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
        if (signal.aborted) wake();
      }),
  };
};
