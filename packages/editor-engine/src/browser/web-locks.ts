/** `Locks` by the Web Locks API, which releases a tab's locks when it ends, and by BroadcastChannel. */
import type { Locks, Release } from '../ports/locks';

interface LockManager {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    onGranted: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

interface BrowserGlobals {
  readonly navigator?: { readonly locks?: LockManager };
}

/** Holds the lock until the returned function is called. */
const requestLock = (
  manager: LockManager,
  name: string,
  options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
): Promise<Release | undefined> =>
  new Promise((resolve) => {
    const onGranted = (lock: unknown): Promise<void> | undefined => {
      if (lock !== null) return new Promise<void>((release) => resolve(() => release()));
      resolve(undefined);
      return undefined;
    };
    manager.request(name, options, onGranted).catch(() => resolve(undefined));
  });

/** For one document and user. Undefined if the browser has no locks; then its tabs must not share a store. */
export const browserLocks = (scope: string): Locks | undefined => {
  const manager = (globalThis as BrowserGlobals).navigator?.locks;
  if (manager === undefined) return undefined;
  const nameOf = (name: string): string => `septet-editor ${scope} ${name}`;
  return {
    tryAcquire: (name) => requestLock(manager, nameOf(name), { ifAvailable: true }),
    acquire: (name, signal) => requestLock(manager, nameOf(name), { signal }),
    publish: (topic, message) => {
      const channel = new BroadcastChannel(nameOf(topic));
      channel.postMessage(message);
      channel.close();
    },
    subscribe: (topic, listener) => {
      const channel = new BroadcastChannel(nameOf(topic));
      channel.onmessage = (event: unknown) => {
        const { data } = event as { readonly data: unknown };
        if (typeof data === 'string') listener(data);
      };
      return () => channel.close();
    },
  };
};
