/**
 * Long work in short steps: whatever else waits for the thread gets it in between. Of all long work of a thread one step is done at a
 * time, so that many large documents that are opened at once hold nobody up longer than one does; while an edit is on its way to the log
 * and back, only now and then.
 */
const longestStepMilliseconds = 4;
const longestWaitMilliseconds = 12;

export interface Thread {
  readonly now: () => number;
  /** When everything that has come by then had its turn. */
  readonly soon: (next: () => void) => void;
  readonly later: (next: () => void) => void;
}

export const openBreaths = ({ now, soon, later }: Thread) => {
  const waiting: (() => void)[] = [];
  let urgent = 0;
  let steppedAt = Number.NEGATIVE_INFINITY;
  let isCalled = false;
  /** Since the last step: a clock that stands still holds nothing up for ever. */
  let waits = 0;
  const letOneGoOn = (): void => {
    const holdsBack = urgent > 0 && now() - steppedAt < longestWaitMilliseconds && waits < longestWaitMilliseconds;
    if (holdsBack) {
      waits += 1;
      later(letOneGoOn);
      return;
    }
    steppedAt = now();
    waits = 0;
    waiting.shift()?.();
    isCalled = waiting.length > 0;
    if (isCalled) soon(letOneGoOn);
  };
  const breath = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isCalled) return;
      isCalled = true;
      soon(letOneGoOn);
    });
  /** Until what it answers is called, long work holds back. */
  const hurried = (): (() => void) => {
    urgent += 1;
    return () => {
      urgent -= 1;
    };
  };
  /** Takes a breath when it is time for one. */
  const breathing = (): (() => Promise<void>) => {
    let began = now();
    return async () => {
      if (now() - began < longestStepMilliseconds) return;
      await breath();
      began = now();
    };
  };
  return { breath, hurried, breathing };
};

const thread: Thread = {
  now: () => performance.now(),
  soon: (next) => void setImmediate(next),
  later: (next) => void setTimeout(next, 1),
};

let breaths = openBreaths(thread);

export const hurried = (): (() => void) => breaths.hurried();
export const breathing = (): (() => Promise<void>) => breaths.breathing();

/** As in a process that has just begun: for tests, which leave things unfinished where they end an owner. */
export const breatheAnew = (): void => {
  breaths = openBreaths(thread);
};
