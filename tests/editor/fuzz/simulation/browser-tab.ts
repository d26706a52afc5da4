/** A page that may end between any two steps: then nothing of it runs any more, and its locks pass to the next waiter. */

import type { DocumentStore } from '../../../../packages/editor-engine/src/ports/document-store';
import type { Locks, Release } from '../../../../packages/editor-engine/src/ports/locks';
import type { Platform } from '../../../../packages/editor-engine/src/ports/platform';

export interface Lasting {
  readonly store: DocumentStore;
  readonly locks: Locks;
}

export interface Tab extends Lasting {
  readonly platform: Platform;
  readonly isDead: () => boolean;
  readonly die: () => void;
}

/** A promise of its own: one that all share would keep every waiter, and all it refers to, in memory. */
const never = (): Promise<never> => new Promise(() => undefined);

interface Body {
  isDead: boolean;
  /** What goes with it. */
  readonly goes: Set<() => void>;
}

const mortal =
  <Arguments extends readonly unknown[], Answer>(body: Body, call: (...parameters: Arguments) => Promise<Answer>) =>
  async (...parameters: Arguments): Promise<Answer> => {
    const answer = body.isDead ? await never() : await call(...parameters);
    return body.isDead ? never() : answer;
  };

const storeOf = (body: Body, store: DocumentStore): DocumentStore => ({
  ...store,
  pendingOf: mortal(body, store.pendingOf),
  write: mortal(body, store.write),
  replaceScene: mortal(body, store.replaceScene),
});

/** A lock that is granted to a dead tab goes to the next one. */
const given = (body: Body, release: Release | undefined): Release | undefined => {
  if (release === undefined) return undefined;
  body.goes.add(release);
  if (body.isDead) release();
  return () => {
    body.goes.delete(release);
    release();
  };
};

const locksOf = (body: Body, locks: Locks): Locks => ({
  tryAcquire: async (name) => given(body, await locks.tryAcquire(name)),
  acquire: async (name, signal) => {
    const death = new AbortController();
    const die = (): void => death.abort();
    body.goes.add(die);
    const release = await locks.acquire(name, AbortSignal.any([signal, death.signal]));
    body.goes.delete(die);
    return given(body, release);
  },
  publish: (topic, word) => (body.isDead ? undefined : locks.publish(topic, word)),
  subscribe: (topic, listener) => {
    const deafen = locks.subscribe(topic, (word) => (body.isDead ? undefined : listener(word)));
    body.goes.add(deafen);
    return deafen;
  },
});

const whileAlive =
  (body: Body, run: () => void): (() => void) =>
  () =>
    body.isDead ? undefined : run();

export const openTab = (platform: Platform, { store, locks }: Lasting): Tab => {
  const body: Body = { isDead: false, goes: new Set() };
  return {
    store: storeOf(body, store),
    locks: locksOf(body, locks),
    platform: {
      ...platform,
      schedule: (milliseconds, run) => platform.schedule(milliseconds, whileAlive(body, run)),
      enqueueMicrotask: (run) => platform.enqueueMicrotask(whileAlive(body, run)),
    },
    isDead: () => body.isDead,
    die: () => {
      body.isDead = true;
      for (const go of [...body.goes]) go();
    },
  };
};
