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
  const resumeNext = (): void => {
    const mustWait = urgent > 0 && now() - steppedAt < maxWaitMilliseconds && waits < maxWaitMilliseconds;
    if (mustWait) {
      waits += 1;
      later(resumeNext);
      return;
    }
    steppedAt = now();
    waits = 0;
    waiting.shift()?.();
    isCalled = waiting.length > 0;
    if (isCalled) soon(resumeNext);
  };
  const yieldToEventLoop = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isCalled) return;
      isCalled = true;
      soon(resumeNext);
    });
  /** Long work pauses until the returned function is called. */
  const hurried = (): (() => void) => {
    urgent += 1;
    return () => {
      urgent -= 1;
    };
  };
  /** Yields when the current step has taken its time. */
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

/** For tests, which end owners with work unfinished. */
export const resetTimeSlicing = (): void => {
  timeSlicer = createTimeSlicer(eventLoop);
};
