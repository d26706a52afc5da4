/** Counts jobs as handlers start them. */
export interface JobCounter {
  readonly started: () => void;
  readonly count: () => number;
  /** Of the last one. */
  readonly startedAt: () => number;
  readonly until: (count: number) => Promise<void>;
}

export interface BenchQueue {
  readonly counter: JobCounter;
  readonly enqueue: (number: number) => Promise<void>;
  /** Answers how to stop these workers. */
  readonly start: (workers: number) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

export type OpenQueue = (postgresUrl: string) => Promise<BenchQueue>;

export interface GraphileQueue {
  readonly openGraphileQueue: OpenQueue;
}

/** Jobs that one worker performs at once. */
export const concurrency = 10;

export const createJobCounter = (): JobCounter => {
  let [count, startedAt] = [0, 0];
  let waiting: { readonly goal: number; readonly resolve: () => void } | undefined;
  return {
    started: () => {
      count += 1;
      startedAt = performance.now();
      if (waiting !== undefined && count >= waiting.goal) waiting.resolve();
    },
    count: () => count,
    startedAt: () => startedAt,
    until: (goal) =>
      new Promise((resolve) => {
        waiting = { goal, resolve };
        if (count >= goal) resolve();
      }),
  };
};
