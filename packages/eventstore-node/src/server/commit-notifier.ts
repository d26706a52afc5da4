/** Tells subscriptions that there is more to read; what it is they read from disk, so nothing is kept for the slow. */

export interface CommitNotifier {
  /** Calls `wake` after each commit that wrote to the stream (undefined: any). Answers how to stop. */
  readonly subscribe: (streamNumber: number | undefined, wake: () => void) => () => void;
  readonly notify: (touched: ReadonlySet<number>) => void;
}

export const createCommitNotifier = (): CommitNotifier => {
  const anyStream = new Set<() => void>();
  const byStream = new Map<number, Set<() => void>>();
  return {
    subscribe: (streamNumber, wake) => {
      const listeners = streamNumber === undefined ? anyStream : (byStream.get(streamNumber) ?? new Set());
      listeners.add(wake);
      if (streamNumber !== undefined) byStream.set(streamNumber, listeners);
      return () => {
        listeners.delete(wake);
        if (streamNumber !== undefined && listeners.size === 0) byStream.delete(streamNumber);
      };
    },
    notify: (touched) => {
      for (const wake of anyStream) wake();
      for (const number of touched) for (const wake of byStream.get(number) ?? []) wake();
    },
  };
};

export interface CommitWaiter {
  /** Resolves when there may be more since the last call; at once when it already came. */
  readonly nextCommit: () => Promise<void>;
}

/** Until the call is over, however it ends. */
export const subscribeUntilAborted = (
  notifier: CommitNotifier,
  streamNumber: number | undefined,
  signal: AbortSignal,
): CommitWaiter => {
  let committed = false;
  let wake: (() => void) | undefined;
  const onCommit = (): void => {
    committed = true;
    wake?.();
  };
  const unsubscribe = notifier.subscribe(streamNumber, onCommit);
  const leave = (): void => {
    unsubscribe();
    onCommit();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return {
    nextCommit: async () => {
      if (!committed) await new Promise<void>((resolve) => (wake = resolve));
      committed = signal.aborted;
      wake = undefined;
    },
  };
};
