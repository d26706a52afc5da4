/** Notifies subscriptions of commits. Subscriptions read the events from disk, so a slow subscriber costs no memory. */

export interface CommitNotifier {
  /** Calls `wake` after each commit to the stream (undefined: any stream). Returns how to unsubscribe. */
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
  /** Resolves after the next commit; at once if one came since the last call. */
  readonly nextCommit: () => Promise<void>;
}

/** A call, as far as its end goes. */
interface Closable {
  readonly isClosed: () => boolean;
  readonly onClose: (listener: () => void) => void;
}

/** Subscribes until the call ends in any way. */
export const subscribeUntilClosed = (
  notifier: CommitNotifier,
  streamNumber: number | undefined,
  call: Closable,
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
  call.onClose(leave);
  return {
    nextCommit: async () => {
      if (!committed) await new Promise<void>((resolve) => (wake = resolve));
      committed = call.isClosed();
      wake = undefined;
    },
  };
};
