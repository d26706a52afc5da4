/** Simulated time: it stands still until the test advances it; due timers run in order, each with its microtasks. */
import type { Platform } from '../../../../packages/editor-engine/src/ports/platform';
import { seededRandom } from '../../../support/random/seeded-random';

interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export interface Time extends Platform {
  /** Lets so much time go by. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** Everything that follows from what was done, without any time going by. */
  readonly settle: () => Promise<void>;
  /** Time does not go on before it is over. */
  readonly meanwhile: <Value>(work: Promise<Value>) => Promise<Value>;
  readonly wake: () => void;
  /** How many wait for their time, or to be woken. */
  readonly waiting: () => number;
  visible: boolean;
}

/** Work of other threads, whose result is handed over by `deliver`. */
interface Elsewhere {
  readonly work: Promise<unknown>;
  readonly deliver: () => void;
}

/** Whatever awaits something that is there already is reached within so many turns of the event loop. */
const quietTurns = 8;

/** Results of other threads are handed over in the order of the calls, and only once all else is quiet: how long a thread took changes nothing. */
const settled = async (elsewhere: Elsewhere[]): Promise<void> => {
  for (;;) {
    for (let turn = 0; turn < quietTurns; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
    const finished = elsewhere.splice(0);
    if (finished.length === 0) return;
    await Promise.allSettled(finished.map(({ work }) => work));
    for (const { deliver } of finished) deliver();
  }
};

export const openTime = (seed = 1): Time => {
  const elsewhere: Elsewhere[] = [];
  const settle = (): Promise<void> => settled(elsewhere);
  let now = Date.parse('2026-01-31T12:00:00.000Z');
  let order = 0;
  let due: Due[] = [];
  const listeners = new Set<() => void>();
  const next = (until: number): Due | undefined =>
    due.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at || one.order - other.order)[0];
  const time: Time = {
    now: () => now,
    random: seededRandom(seed).next,
    enqueueMicrotask: queueMicrotask,
    schedule: (milliseconds, run) => {
      order += 1;
      const one = { at: now + milliseconds, order, run };
      due.push(one);
      return () => {
        due = due.filter((other) => other !== one);
      };
    },
    visible: true,
    waiting: () => due.length + listeners.size,
    isVisible: () => time.visible,
    onResume: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wake: () => {
      for (const listener of listeners) listener();
    },
    settle,
    meanwhile: (work) =>
      new Promise((resolve, reject) => elsewhere.push({ work, deliver: () => void work.then(resolve, reject) })),
    pass: async (milliseconds) => {
      const until = now + milliseconds;
      await settle();
      for (let one = next(until); one !== undefined; one = next(until)) {
        const [at] = [one.at];
        now = Math.max(now, at);
        // All of one moment together: waiting between them would be waiting for nothing.
        for (const each of due.filter((other) => other.at <= now)) {
          due = due.filter((other) => other !== each);
          each.run();
        }
        await settle();
      }
      now = until;
    },
  };
  return time;
};
