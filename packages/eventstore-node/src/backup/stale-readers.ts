/**
 * Removes stale readers. Other processes may read the data file beside the node. One that is killed while it reads
 * stays in LMDB's table of readers, and pages that were replaced since (some 32 KiB per commit) are not reused until
 * its entry is removed.
 */
import type { RootDatabase } from 'lmdb';

type ReaderTable = Pick<RootDatabase, 'readerCheck'>;

const intervalMilliseconds = 30_000;

/** Returns a function that stops it. */
export const startClearingStaleReaders = (root: ReaderTable, every = intervalMilliseconds): (() => void) => {
  const timer = setInterval(() => root.readerCheck(), every).unref();
  return () => clearInterval(timer);
};
