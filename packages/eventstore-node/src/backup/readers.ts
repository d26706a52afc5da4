/**
 * Other processes may read the data file beside the node. One that is killed while it reads leaves its mark in LMDB's table
 * of readers: no page that was replaced since is ever used again, some 32 KiB a commit, until somebody looks who is alive.
 */
import type { RootDatabase } from 'lmdb';

type Readers = Pick<RootDatabase, 'readerCheck'>;

const everyMilliseconds = 30_000;

/** Answers how to stop. */
export const forgetDeadReaders = (root: Readers, every = everyMilliseconds): (() => void) => {
  const timer = setInterval(() => root.readerCheck(), every).unref();
  return () => clearInterval(timer);
};
