/**
 * Replaces what makes a process differ from one time to the next, while a simulation runs: timers, the monotonic clock, `Math.random`, and the
 * order in which the thread pool ends operations on keys.
 */
import timersPromises from 'node:timers/promises';
import type { SeededRandom } from '../../support/random/seeded-random';

interface Timer {
  readonly id: number;
  at: number;
  readonly every: number | undefined;
  readonly call: () => void;
}

export interface VirtualTime {
  /** Milliseconds since the simulation began. */
  readonly now: () => number;
  readonly hasTimer: () => boolean;
  /** Passes to the next timer, and calls it. */
  readonly fireNext: () => void;
  /** Every timer that ends meanwhile is late, as after a pause of the whole machine. */
  readonly leap: (milliseconds: number) => void;
  /** Until everything waits for a timer or for a step of the scheduler. */
  readonly settle: () => Promise<void>;
  readonly restore: () => void;
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  pause: timersPromises.setTimeout,
  random: Math.random,
};

class VirtualTimeout {
  readonly timer: Timer;
  constructor(timer: Timer) {
    this.timer = timer;
  }
  ref = () => this;
  unref = () => this;
  hasRef = () => true;
}

/** One operation on keys after the other, in the order in which they were begun. */
const orderedKeyOperations = () => {
  let pending = 0;
  let last: Promise<unknown> = Promise.resolve();
  const subtle = globalThis.crypto.subtle as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
  const names = ['sign', 'verify', 'importKey'] as const;
  for (const name of names) {
    const operation = (subtle[name] as (...values: unknown[]) => Promise<unknown>).bind(subtle);
    subtle[name] = (...values) => {
      pending += 1;
      const result = last.then(() => operation(...values));
      last = result
        .catch(() => undefined)
        .finally(() => {
          pending -= 1;
        });
      return result;
    };
  }
  return {
    isPending: () => pending > 0,
    restore: () => {
      for (const name of names) delete subtle[name];
    },
  };
};

export const installVirtualTime = (random: SeededRandom): VirtualTime => {
  let now = 0;
  let created = 0;
  const timers = new Map<number, Timer>();
  const keys = orderedKeyOperations();

  const add = (call: () => void, milliseconds: number, every?: number): Timer => {
    created += 1;
    const at = now + Math.max(1, Number.isFinite(milliseconds) ? milliseconds : 1);
    const timer = { id: created, at, every, call };
    timers.set(timer.id, timer);
    return timer;
  };
  const clear = (handle: unknown, otherwise: (handle: never) => void): void => {
    if (handle instanceof VirtualTimeout) timers.delete(handle.timer.id);
    else otherwise(handle as never);
  };
  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers.values()) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  };
  const pause = (milliseconds = 1, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const aborted = (): void => {
        timers.delete(timer.id);
        reject(signal?.reason);
      };
      const timer = add(() => {
        signal?.removeEventListener('abort', aborted);
        resolve(value);
      }, milliseconds);
      if (signal?.aborted === true) aborted();
      else signal?.addEventListener('abort', aborted, { once: true });
    });

  Object.assign(globalThis, {
    setTimeout: (call: (...values: unknown[]) => void, milliseconds = 1, ...values: unknown[]) =>
      new VirtualTimeout(add(() => call(...values), milliseconds)),
    setInterval: (call: () => void, milliseconds = 1) => new VirtualTimeout(add(call, milliseconds, milliseconds)),
    clearTimeout: (handle: unknown) => clear(handle, real.clearTimeout),
    clearInterval: (handle: unknown) => clear(handle, real.clearInterval),
  });
  Object.assign(timersPromises, { setTimeout: pause });
  performance.now = () => now;
  Math.random = random.next;

  return {
    now: () => now,
    hasTimer: () => timers.size > 0,
    fireNext: () => {
      const timer = next();
      if (timer === undefined) return;
      now = Math.max(now, timer.at);
      if (timer.every === undefined) timers.delete(timer.id);
      else timer.at = now + timer.every;
      timer.call();
    },
    leap: (milliseconds) => {
      now += milliseconds;
    },
    settle: async () => {
      do await new Promise((resolve) => real.setImmediate(resolve));
      while (keys.isPending());
    },
    restore: () => {
      const { setTimeout, clearTimeout, setInterval, clearInterval } = real;
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
      Object.assign(timersPromises, { setTimeout: real.pause });
      Reflect.deleteProperty(performance, 'now');
      Math.random = real.random;
      keys.restore();
    },
  };
};
