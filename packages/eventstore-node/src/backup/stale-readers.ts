/**
 * Other processes may read the data file beside the node. One that is killed while it reads leaves its mark in LMDB's table
 * of readers: no page that was replaced since is ever used again, some 32 KiB a commit, until somebody looks who is alive.
 */
import type { RootDatabase } from 'lmdb';

type ReaderTable = Pick<RootDatabase, 'readerCheck'>;

const intervalMilliseconds = 30_000;

/** Answers how to stop. */
export const startClearingStaleReaders = (root: ReaderTable, every = intervalMilliseconds): (() => void) => {
  const timer = setInterval(() => root.readerCheck(), every).unref();
  return () => clearInterval(timer);
};
