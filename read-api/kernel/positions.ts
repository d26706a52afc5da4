/** Where views stand in the log, and waiting for them: one poll per view however many wait, none when nobody does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft } from 'fp-ts/Either';
import type { NamedView, ViewFault, ViewReader } from '../../infra/ports/view-store';

/** Null before the first event was applied, undefined before the view exists. */
type Found = Either<ViewFault, bigint | null | undefined>;

export interface Wait {
  readonly position: bigint;
  readonly signal: AbortSignal;
}

export interface Positions {
  /** A lower bound for whatever is read after it; shared by those who ask at once. */
  readonly current: (view: NamedView) => Promise<Found>;
  /** Answers once the view is at the position or its store fails; undefined when the signal aborts before that. */
  readonly reached: (view: NamedView, wait: Wait) => Promise<Found | undefined>;
}

interface Waiter {
  readonly position: bigint;
  readonly settle: (found: Found | undefined) => void;
  readonly fail: (error: unknown) => void;
}

const answers = (found: Found, position: bigint): boolean =>
  isLeft(found) || (typeof found.right === 'bigint' && found.right >= position);

const shared = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
  let underWay: Promise<A> | undefined;
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
};

const poll = async (waiters: Set<Waiter>, ask: () => Promise<Found>, pause: number): Promise<void> => {
  while (waiters.size > 0) {
    const found = await ask();
    for (const waiter of [...waiters]) {
      if (!answers(found, waiter.position)) continue;
      waiters.delete(waiter);
      waiter.settle(found);
    }
    if (waiters.size > 0) await sleep(pause);
  }
};

/** Joins the set until it is answered, or the signal aborts. */
const joined = async (waiters: Set<Waiter>, { position, signal }: Wait): Promise<Found | undefined> => {
  const leave = new AbortController();
  try {
    return await new Promise<Found | undefined>((settle, fail) => {
      const waiter = { position, settle, fail };
      waiters.add(waiter);
      leave.signal.addEventListener('abort', () => waiters.delete(waiter), { once: true });
      signal.addEventListener('abort', () => settle(undefined), { once: true, signal: leave.signal });
    });
  } finally {
    leave.abort();
  }
};

const watchOf = (ask: () => Promise<Found>, pauseMilliseconds: number) => {
  const current = shared(ask);
  const waiters = new Set<Waiter>();
  let polling = false;
  const start = async (): Promise<void> => {
    if (polling || waiters.size === 0) return;
    polling = true;
    try {
      await poll(waiters, current, pauseMilliseconds);
    } catch (error) {
      for (const { fail } of [...waiters]) fail(error);
      waiters.clear();
    }
    polling = false;
    // One that joined after the last look found the poll still running.
    void start();
  };
  return {
    current,
    reached: (wait: Wait): Promise<Found | undefined> => {
      if (wait.signal.aborted) return Promise.resolve(undefined);
      const found = joined(waiters, wait);
      void start();
      return found;
    },
  };
};

export const watchPositions = (views: Pick<ViewReader, 'checkpoint'>, pauseMilliseconds = 5): Positions => {
  const watches = new Map<string, ReturnType<typeof watchOf>>();
  const watch = (view: NamedView): ReturnType<typeof watchOf> => {
    const known = watches.get(view.name);
    if (known !== undefined) return known;
    const made = watchOf(() => views.checkpoint(view), pauseMilliseconds);
    watches.set(view.name, made);
    return made;
  };
  return { current: (view) => watch(view).current(), reached: (view, wait) => watch(view).reached(wait) };
};
