/** The one writer: whatever arrives while a commit is under way goes into the next one together (group commit). */
import { createCommit, isFromDisk, reasonOf } from './commit';
import type { Tables } from './database';
import { numberOf } from './database';
import { type Heads, overlayHeads } from './heads';
import type { RecentIds } from './id-table';
import { overlayIds } from './ids';
import type { StoredRecord } from './record';
import type { Storage } from './storage';

/** Runs inside the transaction, synchronously; what it returns is answered once the commit is on disk. */
export type Write<Result> = (transaction: Transaction) => Result;

export interface Transaction {
  readonly tables: Tables;
  readonly heads: Heads;
  readonly ids: RecentIds;
  readonly now: number;
  /** The next event's position. */
  next: number;
  /** Streams that got events, for whoever follows them. */
  readonly touched: Set<number>;
  readonly written: StoredRecord[];
}

/** The disk is full or failing: nothing of the write is there. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
}

export interface Writer {
  /** Rejects when `write` throws, which is a defect. */
  readonly write: <Result>(write: Write<Result>) => Promise<Result | Refused>;
  /** Resolves when everything submitted so far is answered. */
  readonly idle: () => Promise<void>;
}

interface Pending {
  readonly write: Write<unknown>;
  readonly answer: (result: unknown) => void;
  readonly fail: (defect: unknown) => void;
}

/** Position 0 stays free: it means the beginning. */
export const firstPosition = 64;
const largestBatch = 1024;
/** A commit's pages are in memory until they are written: what comes after so many bytes waits for the next one. */
const largestCommit = 8 * 1024 * 1024;
const nextPosition = ({ log }: Tables): number => {
  for (const { key, value } of log.getRange({ reverse: true, limit: 1 })) return numberOf(key) + value.length;
  return firstPosition;
};

/** Answers of those that found room: the first always does. */
const performAll = (transaction: Transaction, batch: readonly Pending[]): readonly unknown[] => {
  const results: unknown[] = [];
  const full = transaction.next + largestCommit;
  for (const { write } of batch) {
    results.push(write(transaction));
    if (transaction.next > full) break;
  }
  return results;
};

export const startWriter = (storage: Storage, committed: (touched: ReadonlySet<number>) => void): Writer => {
  const { tables } = storage;
  const commit = createCommit(tables);
  let queue: Pending[] = [];
  let running: Promise<void> | undefined;

  const apart = async (batch: readonly Pending[], defect: unknown): Promise<void> => {
    const [only, ...others] = batch;
    if (others.length === 0) return only?.fail(defect);
    for (const one of batch) await writeBatch([one]);
  };
  const writeBatch = async (batch: readonly Pending[]): Promise<void> => {
    const heads = overlayHeads(tables, storage.heads);
    const ids = overlayIds(storage.ids);
    const touched = new Set<number>();
    const written: StoredRecord[] = [];
    let results: readonly unknown[] | undefined;
    try {
      await commit(batch.length, () => {
        const transaction = { tables, heads, ids, now: Date.now(), next: nextPosition(tables), touched, written };
        results = performAll(transaction, batch);
      });
    } catch (error) {
      // Not the disk, but one of the writes: nothing of any is there, and the others have no part in it.
      if (results === undefined && !isFromDisk(error)) return apart(batch, error);
      const reason = await reasonOf(error);
      for (const { answer } of batch) answer({ kind: 'refused', reason } satisfies Refused);
      return;
    }
    const answers = results ?? [];
    const waiting = batch.slice(answers.length);
    if (waiting.length > 0) queue = [...waiting, ...queue];
    tables.newest.add(written);
    heads.publish();
    ids.publish();
    answers.forEach((result, index) => {
      batch[index]?.answer(result);
    });
    if (touched.size > 0) committed(touched);
  };
  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, largestBatch);
      queue = queue.slice(largestBatch);
      await writeBatch(batch);
    }
    running = undefined;
  };
  return {
    write: <Result>(write: Write<Result>) =>
      new Promise<Result | Refused>((resolve, reject) => {
        queue.push({ write, answer: resolve as (result: unknown) => void, fail: reject });
        // Requests that arrive in the same turn of the event loop share a commit.
        running ??= new Promise<void>(setImmediate).then(pump);
      }),
    idle: () => running ?? Promise.resolve(),
  };
};
