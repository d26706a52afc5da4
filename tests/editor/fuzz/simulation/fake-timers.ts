/** Replaces all clocks and timers of this process by the simulated time until they are restored, which makes owners deterministic. */
import promises from 'node:timers/promises';
import type { Time } from '../../../packages/editor-engine/simulation/controlled-time';

interface Handle {
  readonly stop: () => void;
  readonly ref: () => Handle;
  readonly unref: () => Handle;
  readonly hasRef: () => boolean;
}

const handleOf = (stop: () => void): Handle => {
  const handle: Handle = { stop, ref: () => handle, unref: () => handle, hasRef: () => true };
  return handle;
};

const isHandle = (value: unknown): value is Handle => typeof value === 'object' && value !== null && 'stop' in value;

interface Sleeping {
  readonly signal?: AbortSignal;
}

const sleepIn =
  (time: Time) =>
  (milliseconds = 0, value?: unknown, { signal }: Sleeping = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const ended = (): void => {
        stop();
        reject(signal?.reason);
      };
      const stop = time.schedule(milliseconds, () => {
        signal?.removeEventListener('abort', ended);
        resolve(value);
      });
      signal?.addEventListener('abort', ended);
    });

const every = (time: Time, milliseconds: number, run: () => void): Handle => {
  let stop = (): void => undefined;
  const again = (): void => {
    stop = time.schedule(Math.max(1, milliseconds), () => {
      again();
      run();
    });
  };
  again();
  return handleOf(() => stop());
};

const soon = (run: () => void): (() => void) => {
  const immediate = setImmediate(run);
  return () => clearImmediate(immediate);
};

/** Answers how they are given back. */
export const takeClocks = (time: Time): (() => void) => {
  const began = time.now();
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const before = { setTimeout, setInterval, clearTimeout, clearInterval };
  const [now, sleep] = [performance.now, promises.setTimeout];
  const clear = (handle: unknown): void => (isHandle(handle) ? handle.stop() : clearTimeout(handle as NodeJS.Timeout));
  Object.assign(globalThis, {
    // What only lets others go first must not wait for a time that waits for it.
    setTimeout: (run: () => void, milliseconds = 1) =>
      milliseconds <= 1 ? handleOf(soon(run)) : handleOf(time.schedule(milliseconds, run)),
    setInterval: (run: () => void, milliseconds = 1) => every(time, milliseconds, run),
    clearTimeout: clear,
    clearInterval: clear,
  });
  Object.assign(performance, { now: () => time.now() - began });
  Object.assign(promises, { setTimeout: sleepIn(time) });
  return () => {
    Object.assign(globalThis, before);
    Object.assign(performance, { now });
    Object.assign(promises, { setTimeout: sleep });
  };
};
