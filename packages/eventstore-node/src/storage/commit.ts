/** How a transaction gets to disk, and what it means when it does not. */
import { commitThrough } from '../../../data-directory/src/door';
import type { Tables } from './database';

/** A commit on this thread that took longer (milliseconds) sends the following ones to lmdb's own. */
const slowCommit = 5;
const slowCommitsRemembered = 50;
/** So many single writes in a row tell one caller from a moment's pause between many. */
const aloneInRow = 8;

/** LMDB's own errors carry its number: a page may be written before the commit when there are many. */
export const isFromDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'number';

/** lmdb rejects twice: the commit, and a promise on the error that says why. */
export const reasonOf = async (error: unknown): Promise<string> => {
  const { commitError } = error as { readonly commitError?: Promise<never> };
  const cause = await commitError?.catch((reason: unknown) => reason);
  return String(cause ?? error);
};

/**
 * Writes that come one at a time commit on this thread, which saves two thread hops; several at once, or any on a disk
 * that has just been slow, commit on lmdb's, so that requests and reads go on meanwhile.
 */
const chooseThread = ({ root }: Tables) => {
  let slow = 0;
  let alone = 0;
  return async (writes: number, body: () => void): Promise<void> => {
    alone = writes === 1 ? alone + 1 : 0;
    if (alone < aloneInRow || slow > 0) {
      slow = Math.max(0, slow - 1);
      await root.childTransaction(body);
      return;
    }
    const started = performance.now();
    root.transactionSync(body);
    if (performance.now() - started > slowCommit) slow = slowCommitsRemembered;
  };
};

export const createCommit = (tables: Tables) => {
  const transact = chooseThread(tables);
  return (writes: number, body: () => void): Promise<void> =>
    commitThrough(tables.door, (inside) => transact(writes, inside), body);
};
