/** `Locks` in memory, for engines of one process. */
import type { Locks, Release } from '../ports/locks';

interface LockRequest {
  readonly grant: (release: Release) => void;
}

export const openMemoryLocks = (): Locks => {
  /** An entry, perhaps empty, for each lock that has a holder. */
  const waitingByName = new Map<string, LockRequest[]>();
  const listeners = new Set<{ readonly topic: string; readonly listener: (message: string) => void }>();
  const takeNow = (name: string): Release => {
    waitingByName.set(name, waitingByName.get(name) ?? []);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = waitingByName.get(name)?.shift();
      if (next === undefined) waitingByName.delete(name);
      else next.grant(takeNow(name));
    };
  };
  const wait = (name: string, signal: AbortSignal): Promise<Release | undefined> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      if (!waitingByName.has(name)) return resolve(takeNow(name));
      const waiting = { grant: resolve };
      waitingByName.get(name)?.push(waiting);
      const leave = (): void => {
        const line = waitingByName.get(name);
        if (line?.includes(waiting)) line.splice(line.indexOf(waiting), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  return {
    tryAcquire: async (name) => (waitingByName.has(name) ? undefined : takeNow(name)),
    acquire: wait,
    publish: (topic, message) => {
      for (const one of listeners) if (one.topic === topic) queueMicrotask(() => one.listener(message));
    },
    subscribe: (topic, listener) => {
      const entry = { topic, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
};
