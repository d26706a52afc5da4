/** Tells subscriptions that there is more to read; what it is they read from disk, so nothing is kept for the slow. */

export interface Bell {
  /** Calls `wake` after each commit that wrote to the stream (undefined: any). Answers how to stop. */
  readonly follow: (streamNumber: number | undefined, wake: () => void) => () => void;
  readonly ring: (touched: ReadonlySet<number>) => void;
}

export const createBell = (): Bell => {
  const everything = new Set<() => void>();
  const byStream = new Map<number, Set<() => void>>();
  return {
    follow: (streamNumber, wake) => {
      const listeners = streamNumber === undefined ? everything : (byStream.get(streamNumber) ?? new Set());
      listeners.add(wake);
      if (streamNumber !== undefined) byStream.set(streamNumber, listeners);
      return () => {
        listeners.delete(wake);
        if (streamNumber !== undefined && listeners.size === 0) byStream.delete(streamNumber);
      };
    },
    ring: (touched) => {
      for (const wake of everything) wake();
      for (const number of touched) for (const wake of byStream.get(number) ?? []) wake();
    },
  };
};

export interface Waiting {
  /** Resolves when there may be more since the last call; at once when it already came. */
  readonly more: () => Promise<void>;
}

/** Until the call is over, however it ends. */
export const waitFor = (bell: Bell, streamNumber: number | undefined, signal: AbortSignal): Waiting => {
  let rung = false;
  let wake: (() => void) | undefined;
  const hear = (): void => {
    rung = true;
    wake?.();
  };
  const unfollow = bell.follow(streamNumber, hear);
  const leave = (): void => {
    unfollow();
    hear();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return {
    more: async () => {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = signal.aborted;
      wake = undefined;
    },
  };
};
