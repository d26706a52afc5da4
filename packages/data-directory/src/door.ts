/**
 * Whoever opens a file of LMDB tells all who have it open which transaction is the newest, also when it only reads: the one
 * that it has seen in the file a moment before. A commit between the two would be forgotten, and the next one would be written
 * over it. So nobody commits while somebody opens, among any number of processes that do either. Both leave word of
 * themselves first and look for the others then.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { ABORT } from 'lmdb';
import { findRunningProcess, isLocked, type Lock, lockDirectory, ownProcessName } from './index';

/** All that is in a writer's mark. */
const [committing, idle] = ['1', '0'];
const openingLockName = 'opening';
const markerPrefixOf = (path: string): string => `${path}-writer.`;

/** Who it is stands in the name, so that one that was just made is never taken for one of somebody who is gone. */
const createMarkerPath = (path: string): string =>
  `${markerPrefixOf(path)}${ownProcessName().replace(' ', '.')}.${randomBytes(6).toString('hex')}`;

const findMarkerOwner = (marker: string, path: string): number | undefined => {
  const [pid = '', started = ''] = marker.slice(markerPrefixOf(path).length).split('.');
  return findRunningProcess(`${pid} ${started}`);
};

export interface EnvironmentLock {
  /** Inside a transaction that has changed nothing yet. False: somebody opens the file, it must not become one. */
  readonly enter: () => boolean;
  /** After its commit, or when nothing came of it. */
  readonly leave: () => void;
  readonly close: () => void;
}

/** Of one writer of the file, in a process that may have several transactions under way, or several in one commit. */
export const createEnvironmentLock = (path: string): EnvironmentLock => {
  const marker = createMarkerPath(path);
  const file = openSync(marker, 'wx', 0o600);
  const writeState = (state: string): void => void writeSync(file, state, 0);
  writeState(idle);
  let inside = 0;
  return {
    enter: () => {
      if (inside === 0) writeState(committing);
      // Also when others are inside: those who open wait for all of them.
      if (!isLocked(dirname(path), openingLockName)) {
        inside += 1;
        return true;
      }
      if (inside === 0) writeState(idle);
      return false;
    },
    leave: () => {
      inside -= 1;
      if (inside === 0) writeState(idle);
    },
    close: () => {
      closeSync(file);
      rmSync(marker, { force: true });
    },
  };
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const isCommitting = (marker: string, path: string): boolean => {
  try {
    if (readFileSync(marker, 'utf8') !== committing) return false;
    // Within one process LMDB opens a file once.
    return ![undefined, process.pid].includes(findMarkerOwner(marker, path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
/** For a millisecond, on this thread: LMDB is opened on it too. */
const sleepOneMillisecond = (): void => void Atomics.wait(neverNotified, 0, 0, 1);

/** Where it cannot be left, LMDB can tell nobody anything either. */
const readOnlyErrors = ['EACCES', 'EPERM', 'EROFS'];

const acquireOpeningLock = (directory: string): Lock | undefined => {
  try {
    for (;;) {
      const lock = lockDirectory(directory, openingLockName);
      if (!isLeft(lock)) return lock.right;
      sleepOneMillisecond();
    }
  } catch (error) {
    if (readOnlyErrors.includes(codeOf(error))) return undefined;
    throw error;
  }
};

const listMarkers = (path: string): readonly string[] => {
  const directory = dirname(path);
  const first = basename(markerPrefixOf(path));
  return readdirSync(directory).flatMap((name) => (name.startsWith(first) ? [join(directory, name)] : []));
};

/** For those who open the file to read it. */
export const withCommitsExcluded = <Result>(path: string, open: () => Result): Result => {
  const openingLock = acquireOpeningLock(dirname(path));
  try {
    // Whoever comes after these finds the word.
    for (const marker of listMarkers(path)) {
      while (isCommitting(marker, path)) sleepOneMillisecond();
      if (openingLock !== undefined && findMarkerOwner(marker, path) === undefined) rmSync(marker, { force: true });
    }
    return open();
  } finally {
    openingLock?.release();
  }
};

/** For those who write it. What opening commits, such as tables that are new, nobody else's commit or opening comes between. */
export const openWithEnvironmentLock = <Opened>(
  path: string,
  open: () => Opened,
): readonly [Opened, EnvironmentLock] => {
  const lock = createEnvironmentLock(path);
  try {
    return [withCommitsExcluded(path, open), lock];
  } catch (error) {
    lock.close();
    throw error;
  }
};

/** Nothing of the body is there while somebody opens the file: then it is done afterwards. */
export const commitUnderLock = async <Result>(
  lock: Pick<EnvironmentLock, 'enter' | 'leave'>,
  transact: (body: () => Result) => Promise<Result>,
  body: () => Result,
): Promise<Result> => {
  for (;;) {
    const attempt = { entered: false };
    try {
      const result = await transact(() => {
        attempt.entered = lock.enter();
        // lmdb takes it in place of any result, which its types do not say.
        return attempt.entered ? body() : (ABORT as never);
      });
      if (attempt.entered) return result;
    } finally {
      if (attempt.entered) lock.leave();
    }
    await setTimeout(1);
  }
};
