/** How often the log is polled for revocations: often while a caller depends on them, else seldom. */

export interface PollPace {
  /** Resolves when the next poll is due, or when the signal aborts. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
}

/** A wait that ends early. */
const createAlarm = () => {
  let ring = (): void => undefined;
  return {
    ring: () => ring(),
    wait: (milliseconds: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          ring = () => undefined;
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        signal.addEventListener('abort', end, { once: true });
        ring = end;
        if (signal.aborted) end();
      }),
  };
};

export const steadyPace = (milliseconds: number): PollPace => {
  const alarm = createAlarm();
  return { wait: (signal) => alarm.wait(milliseconds, signal) };
};

export interface DemandOptions {
  /** Streams are open that revocations end. */
  readonly isFollowed?: () => boolean;
  /** Age of what is known. Another feed may have proved it fresh; then there is no need to poll. */
  readonly stalenessMilliseconds: () => number;
  /** Well below the age at which sensitive requests are refused. */
  readonly idleMilliseconds: number;
}

export interface DemandPace extends PollPace {
  /** A caller depends on what is known now: polls are frequent again, beginning at once. */
  readonly demand: () => void;
}

const busyMilliseconds = 250;
/** After the last demand. */
const lingerMilliseconds = 10_000;

export const paceByDemand = (options: DemandOptions): DemandPace => {
  const { isFollowed = () => false, stalenessMilliseconds, idleMilliseconds } = options;
  const alarm = createAlarm();
  let demandedAt = Number.NEGATIVE_INFINITY;
  const isBusy = (): boolean => isFollowed() || performance.now() - demandedAt < lingerMilliseconds;
  /** Until the next poll; 0 when it is due. A state that was never fresh has infinite age. */
  const untilStale = (): number => Math.max(0, idleMilliseconds - stalenessMilliseconds());
  return {
    demand: () => {
      const wasBusy = isBusy();
      demandedAt = performance.now();
      if (!wasBusy) alarm.ring();
    },
    wait: async (signal) => {
      if (isBusy()) return alarm.wait(busyMilliseconds, signal);
      // Not less at first, because a failing poll does not make the state fresh.
      let rest = Math.max(busyMilliseconds, untilStale());
      while (rest > 0 && !signal.aborted && !isBusy()) {
        await alarm.wait(rest, signal);
        rest = untilStale();
      }
    },
  };
};
