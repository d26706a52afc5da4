/** Between tabs of one browser: its locks, which end with a tab however that ends, and a channel to be heard on. */
import type { Locks, Release } from '../ports/locks';

interface LockManager {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    held: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

interface BrowserGlobals {
  readonly navigator?: { readonly locks?: LockManager };
}

/** As long as nobody lets go of it. */
const requestLock = (
  manager: LockManager,
  name: string,
  options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
): Promise<Release | undefined> =>
  new Promise((resolve) => {
    const held = (lock: unknown): Promise<void> | undefined => {
      if (lock !== null) return new Promise<void>((release) => resolve(() => release()));
      resolve(undefined);
      return undefined;
    };
    manager.request(name, options, held).catch(() => resolve(undefined));
  });

/** Of one document and one person. Undefined where the browser has none: its tabs must not share a store then. */
export const browserLocks = (scope: string): Locks | undefined => {
  const manager = (globalThis as BrowserGlobals).navigator?.locks;
  if (manager === undefined) return undefined;
  const nameOf = (name: string): string => `septet-editor ${scope} ${name}`;
  return {
    take: (name) => requestLock(manager, nameOf(name), { ifAvailable: true }),
    wait: (name, signal) => requestLock(manager, nameOf(name), { signal }),
    tell: (topic, word) => {
      const channel = new BroadcastChannel(nameOf(topic));
      channel.postMessage(word);
      channel.close();
    },
    hear: (topic, heard) => {
      const channel = new BroadcastChannel(nameOf(topic));
      channel.onmessage = (event: unknown) => {
        const { data } = event as { readonly data: unknown };
        if (typeof data === 'string') heard(data);
      };
      return () => channel.close();
    },
  };
};
