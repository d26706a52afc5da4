/** The one writer: whatever arrives while a commit is under way goes into the next one together (group commit). */
import type { Tables } from './database';

/** Where the next event goes. */
export interface Counters {
  next: number;
  streams: number;
}

/** Runs inside the transaction, synchronously; what it returns is answered once the commit is on disk. */
export type Write<Result> = (transaction: Transaction) => Result;

export interface Transaction {
  readonly tables: Tables;
  readonly counters: Counters;
  readonly now: number;
  /** Streams that got events, for whoever follows them. */
  readonly touched: Set<number>;
}

/** The disk is full or failing: nothing of the write is there. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
}

export interface Writer {
  readonly write: <Result>(write: Write<Result>) => Promise<Result | Refused>;
  /** Resolves when everything submitted so far is answered. */
  readonly idle: () => Promise<void>;
}

interface Pending {
  readonly write: Write<unknown>;
  readonly answer: (result: unknown) => void;
}

const countersKey = Buffer.from('next');
/** Position 0 stays free: it means the beginning. */
const firstPosition = 64;
const largestBatch = 1024;

const readCounters = ({ counters }: Tables): Counters => {
  const stored = counters.get(countersKey);
  return stored === undefined ? { next: firstPosition, streams: 0 } : (JSON.parse(stored.toString('utf8')) as Counters);
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const startWriter = (tables: Tables, committed: (touched: ReadonlySet<number>) => void): Writer => {
  let queue: Pending[] = [];
  let running: Promise<void> | undefined;

  const commit = async (batch: readonly Pending[]): Promise<void> => {
    const touched = new Set<number>();
    let results: unknown[] = [];
    try {
      await tables.root.childTransaction(() => {
        const transaction = { tables, counters: readCounters(tables), now: Date.now(), touched };
        const before = transaction.counters.next;
        results = batch.map(({ write }) => write(transaction));
        if (transaction.counters.next === before) return;
        tables.counters.putSync(countersKey, Buffer.from(JSON.stringify(transaction.counters)));
      });
    } catch (error) {
      for (const { answer } of batch) answer({ kind: 'refused', reason: reasonOf(error) } satisfies Refused);
      return;
    }
    if (touched.size > 0) committed(touched);
    batch.forEach(({ answer }, index) => {
      answer(results[index]);
    });
  };
  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, largestBatch);
      queue = queue.slice(largestBatch);
      await commit(batch);
    }
    running = undefined;
  };
  return {
    write: <Result>(write: Write<Result>) =>
      new Promise<Result | Refused>((resolve) => {
        queue.push({ write, answer: resolve as (result: unknown) => void });
        running ??= Promise.resolve().then(pump);
      }),
    idle: () => running ?? Promise.resolve(),
  };
};
