/** `Locks` in memory, for engines of one process. */
import type { Locks, Release } from '../ports/locks';

interface LockRequest {
  readonly give: (release: Release) => void;
}

export const openMemoryLocks = (): Locks => {
  const held = new Map<string, LockRequest[]>();
  const listeners = new Set<readonly [topic: string, heard: (message: string) => void]>();
  const takeNow = (name: string): Release => {
    held.set(name, held.get(name) ?? []);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const next = held.get(name)?.shift();
      if (next === undefined) held.delete(name);
      else next.give(takeNow(name));
    };
  };
  const wait = (name: string, signal: AbortSignal): Promise<Release | undefined> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      if (!held.has(name)) return resolve(takeNow(name));
      const waiting = { give: resolve };
      held.get(name)?.push(waiting);
      const leave = (): void => {
        const line = held.get(name);
        if (line?.includes(waiting)) line.splice(line.indexOf(waiting), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  return {
    take: async (name) => (held.has(name) ? undefined : takeNow(name)),
    wait,
    tell: (topic, message) => {
      for (const [about, heard] of listeners) if (about === topic) queueMicrotask(() => heard(message));
    },
    hear: (topic, heard) => {
      const entry = [topic, heard] as const;
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
};
