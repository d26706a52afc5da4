/** The only writer. Writes that arrive during a commit share the next one (group commit). */

import { commitUnderLock } from '../../../data-directory/src/environment-lock';
import { numberOf, type Tables } from './lmdb-tables';
import { createEventIdOverlay, type RecentEventIds } from './recent-event-ids';
import type { StoredRecord } from './records/record-format';
import type { Storage } from './storage';
import { createHeadOverlay, type StreamHeads } from './streams/stream-heads';

/** Runs synchronously within the transaction; its result is returned once the commit is on disk. */
export type Write<Result> = (transaction: Transaction) => Result;

export interface Transaction {
  readonly tables: Tables;
  readonly heads: StreamHeads;
  readonly ids: RecentEventIds;
  readonly now: number;
  /** The next event's position. */
  next: number;
  /** The streams that got events, for subscriptions. */
  readonly touched: Set<number>;
  readonly written: StoredRecord[];
}

/** The disk is full or failing: nothing of the write is stored. */
export interface WriteRefused {
  readonly kind: 'refused';
  readonly reason: string;
}

export interface Writer {
  /** Rejects when `write` throws, which is a defect. */
  readonly write: <Result>(write: Write<Result>) => Promise<Result | WriteRefused>;
  /** Resolves when everything submitted so far is answered. */
  readonly idle: () => Promise<void>;
}

interface Pending {
  readonly write: Write<unknown>;
  readonly answer: (result: unknown) => void;
  readonly fail: (defect: unknown) => void;
}

/** Position 0 stays free: it stands for the beginning. */
export const firstPosition = 64;
const maxBatchWrites = 1024;
/** A commit's pages are in memory until they are written: writes beyond this many bytes wait for the next commit. */
const maxCommitBytes = 8 * 1024 * 1024;
const nextPosition = ({ log }: Tables): number => {
  for (const { key, value } of log.getRange({ reverse: true, limit: 1 })) return numberOf(key) + value.length;
  return firstPosition;
};

/** Results of the writes that found room; the first one always does. */
const runWrites = (transaction: Transaction, batch: readonly Pending[]): readonly unknown[] => {
  const results: unknown[] = [];
  const full = transaction.next + maxCommitBytes;
  for (const { write } of batch) {
    results.push(write(transaction));
    if (transaction.next > full) break;
  }
  return results;
};

export const startWriter = (storage: Storage, onCommit: (touched: ReadonlySet<number>) => void): Writer => {
  const { tables } = storage;
  const commit = createCommit(tables);
  let queue: Pending[] = [];
  let running: Promise<void> | undefined;

  const writeOneByOne = async (batch: readonly Pending[], defect: unknown): Promise<void> => {
    const [only, ...others] = batch;
    if (others.length === 0) return only?.fail(defect);
    for (const one of batch) await writeBatch([one]);
  };
  const writeBatch = async (batch: readonly Pending[]): Promise<void> => {
    const heads = createHeadOverlay(tables, storage.heads);
    const ids = createEventIdOverlay(storage.ids);
    const touched = new Set<number>();
    const written: StoredRecord[] = [];
    let results: readonly unknown[] | undefined;
    try {
      await commit(batch.length, () => {
        const transaction = { tables, heads, ids, now: Date.now(), next: nextPosition(tables), touched, written };
        results = runWrites(transaction, batch);
      });
    } catch (error) {
      // One of the writes failed, not the disk: nothing of any is stored, and the others are tried again.
      if (results === undefined && !isDiskError(error)) return writeOneByOne(batch, error);
      const reason = await failureReason(error);
      for (const { answer } of batch) answer({ kind: 'refused', reason } satisfies WriteRefused);
      return;
    }
    const answers = results ?? [];
    const waiting = batch.slice(answers.length);
    if (waiting.length > 0) queue = [...waiting, ...queue];
    tables.recentRecords.add(written);
    heads.publish();
    ids.publish();
    answers.forEach((result, index) => {
      batch[index]?.answer(result);
    });
    if (touched.size > 0) onCommit(touched);
  };
  const writeQueued = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatchWrites);
      queue = queue.slice(maxBatchWrites);
      await writeBatch(batch);
    }
    running = undefined;
  };
  return {
    write: <Result>(write: Write<Result>) =>
      new Promise<Result | WriteRefused>((resolve, reject) => {
        queue.push({ write, answer: resolve as (result: unknown) => void, fail: reject });
        // Requests that arrive in the same turn of the event loop share a commit.
        running ??= new Promise<void>(setImmediate).then(writeQueued);
      }),
    idle: () => running ?? Promise.resolve(),
  };
};

/** A commit on this thread that takes longer (milliseconds) moves the following ones to lmdb's thread. */
const slowCommitMilliseconds = 5;
const backgroundCommitsAfterSlow = 50;
/** This many single writes in a row mean one caller, not a short pause between many. */
const singleWritesBeforeSync = 8;

/** LMDB's errors carry its error number. Pages may be written before the commit when there are many. */
const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'number';

/** lmdb rejects twice: the commit, and a promise on the error with the reason. */
const failureReason = async (error: unknown): Promise<string> => {
  const { commitError } = error as { readonly commitError?: Promise<never> };
  const cause = await commitError?.catch((reason: unknown) => reason);
  return String(cause ?? error);
};

/**
 * Writes that arrive one at a time commit on this thread, which saves two thread switches. Several at once, or any on a
 * disk that was just slow, commit on lmdb's thread, so that requests and reads go on meanwhile.
 */
const createThreadChooser = ({ root }: Tables) => {
  let slow = 0;
  let alone = 0;
  return async (writes: number, body: () => void): Promise<void> => {
    alone = writes === 1 ? alone + 1 : 0;
    if (alone < singleWritesBeforeSync || slow > 0) {
      slow = Math.max(0, slow - 1);
      await root.childTransaction(body);
      return;
    }
    const started = performance.now();
    root.transactionSync(body);
    if (performance.now() - started > slowCommitMilliseconds) slow = backgroundCommitsAfterSlow;
  };
};

const createCommit = (tables: Tables) => {
  const transact = createThreadChooser(tables);
  return (writes: number, body: () => void): Promise<void> =>
    commitUnderLock(tables.environmentLock, (inside) => transact(writes, inside), body);
};
