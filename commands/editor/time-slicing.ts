/**
 * Splits long work into short steps, so that other work of the thread runs in between. All long work of a thread takes turns, so many
 * large documents that open at once delay others no longer than one does. While an edit is on its way to the log and back, steps are rare.
 */
const maxStepMilliseconds = 4;
const maxWaitMilliseconds = 12;

export interface EventLoop {
  readonly now: () => number;
  /** Calls back after everything that is queued by then. */
  readonly soon: (next: () => void) => void;
  readonly later: (next: () => void) => void;
}

export const createTimeSlicer = ({ now, soon, later }: EventLoop) => {
  const waiting: (() => void)[] = [];
  let urgent = 0;
  let steppedAt = Number.NEGATIVE_INFINITY;
  let isCalled = false;
  /** Since the last step; bounds the delay if the clock stands still. */
  let waits = 0;
  const letOneGoOn = (): void => {
    const holdsBack = urgent > 0 && now() - steppedAt < maxWaitMilliseconds && waits < maxWaitMilliseconds;
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
  const yieldToEventLoop = (): Promise<void> =>
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
      if (now() - began < maxStepMilliseconds) return;
      await yieldToEventLoop();
      began = now();
    };
  };
  return { breath: yieldToEventLoop, hurried, breathing };
};

const eventLoop: EventLoop = {
  now: () => performance.now(),
  soon: (next) => void setImmediate(next),
  later: (next) => void setTimeout(next, 1),
};

let timeSlicer = createTimeSlicer(eventLoop);

export const prioritize = (): (() => void) => timeSlicer.hurried();
export const createYield = (): (() => Promise<void>) => timeSlicer.breathing();

/** As in a process that has just begun: for tests, which leave things unfinished where they end an owner. */
export const resetTimeSlicing = (): void => {
  timeSlicer = createTimeSlicer(eventLoop);
};
