/** Wakes waiters by key, once per turn of the event loop. */
export interface KeyedWakeSignal {
  readonly notify: (name: string) => void;
  readonly notifyAll: () => void;
  /** Resolves at the next `notify` of the name, or when the signal aborts. */
  readonly waitFor: (name: string, signal: AbortSignal) => Promise<void>;
}

type Waking = () => void;

export const createKeyedWakeSignal = (): KeyedWakeSignal => {
  const waiting = new Map<string, Set<Waking>>();
  const notified = new Set<string>();
  const wake = (): void => {
    const names = [...notified];
    notified.clear();
    for (const name of names) for (const waking of [...(waiting.get(name) ?? [])]) waking();
  };
  const notify = (name: string): void => {
    if (!waiting.has(name)) return;
    if (notified.size === 0) setImmediate(wake);
    notified.add(name);
  };
  const enter = (name: string, waking: Waking): void => {
    const others = waiting.get(name);
    if (others === undefined) waiting.set(name, new Set([waking]));
    else others.add(waking);
  };
  const leave = (name: string, waking: Waking): void => {
    const others = waiting.get(name);
    others?.delete(waking);
    if (others?.size === 0) waiting.delete(name);
  };
  return {
    notify,
    notifyAll: () => {
      for (const name of waiting.keys()) notify(name);
    },
    waitFor: (name, signal) =>
      new Promise((resolve) => {
        const waking = (): void => {
          leave(name, waking);
          signal.removeEventListener('abort', waking);
          resolve();
        };
        if (signal.aborted) return resolve();
        enter(name, waking);
        signal.addEventListener('abort', waking, { once: true });
      }),
  };
};
