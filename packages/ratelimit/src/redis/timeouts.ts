/** Timeouts of one common length, which need one timer only. */

export class ResponseTimeout extends Error {
  override readonly name = 'TooSlow';
}

interface PendingWait {
  isOver: boolean;
  readonly since: number;
  readonly expire: () => void;
}

export interface Timeouts {
  /** Rejects with `ResponseTimeout` when the time is up; `late` receives a result that arrives afterwards. */
  readonly within: <A>(work: Promise<A>, late?: (answer: A) => void) => Promise<A>;
}

const stepsPerWait = 5;
/** Finished waits are removed in bulk once there are this many. */
const compactAfter = 1_024;

export interface TimerWheel {
  /** The current step; steps advance while anything waits. */
  readonly now: () => number;
}

/**
 * Counts time in steps and handles arrived answers after each one, so that a busy process does not take its own delay
 * for a slow store. `expire` ends the waits since before that step and returns whether any remain.
 */
export const createTimerWheel = (milliseconds: number | undefined, expire: (before: number) => boolean): TimerWheel => {
  if (milliseconds === undefined) return { now: () => 0 };
  const stepMilliseconds = Math.max(1, Math.floor(milliseconds / stepsPerWait));
  let step = 0;
  let isTicking = false;
  const tick = (): void => {
    setTimeout(() => setImmediate(next), stepMilliseconds);
  };
  const next = (): void => {
    step += 1;
    isTicking = expire(step - stepsPerWait);
    if (isTicking) tick();
  };
  return {
    now: () => {
      if (!isTicking) tick();
      isTicking = true;
      return step;
    },
  };
};

interface WaitQueue {
  readonly add: (expire: () => void) => PendingWait;
}

const createWaitQueue = (milliseconds: number): WaitQueue => {
  let queue: PendingWait[] = [];
  let first = 0;
  const wheel = createTimerWheel(milliseconds, (before) => {
    for (let next = queue[first]; next !== undefined; next = queue[first]) {
      if (!next.isOver && next.since >= before) break;
      first += 1;
      if (!next.isOver) next.expire();
    }
    if (first >= compactAfter || first === queue.length) [queue, first] = [queue.slice(first), 0];
    return queue.length > 0;
  });
  return {
    add: (expire) => {
      const waiting = { isOver: false, since: wheel.now(), expire };
      queue.push(waiting);
      return waiting;
    },
  };
};

export const createTimeouts = (milliseconds: number): Timeouts => {
  const queue = createWaitQueue(milliseconds);
  return {
    within: (work, late) =>
      new Promise((resolve, reject) => {
        const waiting = queue.add(() => {
          waiting.isOver = true;
          reject(new ResponseTimeout('No answer in time.'));
        });
        work.then(
          (answer) => {
            if (waiting.isOver) return late?.(answer);
            waiting.isOver = true;
            resolve(answer);
          },
          (error: unknown) => {
            waiting.isOver = true;
            reject(error instanceof Error ? error : new Error('The work failed.'));
          },
        );
      }),
  };
};
