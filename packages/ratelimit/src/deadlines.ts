/** Gives up on what takes too long: all waits are of one length, so that one timer does for all of them. */

export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

interface Waiting {
  isOver: boolean;
  readonly since: number;
  readonly giveUp: () => void;
}

export interface Deadlines {
  /** Rejects with `TooSlow` when the time is up; what comes of the work after that is told to `late`. */
  readonly within: <A>(work: Promise<A>, late?: (answer: A) => void) => Promise<A>;
}

const stepsPerWait = 5;
/** What is over is let go of in one piece, once it is that much. */
const letGoOf = 1_024;

export interface Steps {
  /** The step that it is; from now on they go on until nothing waits. */
  readonly now: () => number;
}

/**
 * Time is counted in steps, and after each of them the answers that have arrived are taken first: a process that was busy itself
 * does not take that for slowness of the other. `expire` gives up on what waits since before that step, and says whether anything
 * waits still.
 */
export const openSteps = (milliseconds: number | undefined, expire: (before: number) => boolean): Steps => {
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

interface Line {
  readonly add: (giveUp: () => void) => Waiting;
}

const openLine = (milliseconds: number): Line => {
  let line: Waiting[] = [];
  let first = 0;
  const steps = openSteps(milliseconds, (before) => {
    for (let next = line[first]; next !== undefined; next = line[first]) {
      if (!next.isOver && next.since >= before) break;
      first += 1;
      if (!next.isOver) next.giveUp();
    }
    if (first >= letGoOf || first === line.length) [line, first] = [line.slice(first), 0];
    return line.length > 0;
  });
  return {
    add: (giveUp) => {
      const waiting = { isOver: false, since: steps.now(), giveUp };
      line.push(waiting);
      return waiting;
    },
  };
};

export const openDeadlines = (milliseconds: number): Deadlines => {
  const line = openLine(milliseconds);
  return {
    within: (work, late) =>
      new Promise((resolve, reject) => {
        const waiting = line.add(() => {
          waiting.isOver = true;
          reject(new TooSlow('No answer in time.'));
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
