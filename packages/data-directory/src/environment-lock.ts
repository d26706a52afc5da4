/**
 * A process that opens an LMDB file publishes the newest transaction it saw there, even if it only reads. A commit in
 * between would be lost: the next one overwrites it. So commits and opens exclude each other across processes. Each
 * side writes its marker first, then checks for the other's.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { ABORT } from 'lmdb';
import { findRunningProcess, isLocked, type Lock, lockDirectory, ownProcessName } from './index';

/** The content of a writer's marker file. */
const [committing, idle] = ['1', '0'];
const openingLockName = 'opening';
const markerPrefixOf = (path: string): string => `${path}-writer.`;

/** The name holds the process, so that a marker that was just created never looks like one of a dead process. */
const createMarkerPath = (path: string): string =>
  `${markerPrefixOf(path)}${ownProcessName().replace(' ', '.')}.${randomBytes(6).toString('hex')}`;

const findMarkerOwner = (marker: string, path: string): number | undefined => {
  const [pid = '', started = ''] = marker.slice(markerPrefixOf(path).length).split('.');
  return findRunningProcess(`${pid} ${started}`);
};

export interface EnvironmentLock {
  /**
   * Called inside a transaction that has changed nothing yet. False: another process opens the file, so the transaction
   * must abort.
   */
  readonly enter: () => boolean;
  /** After the commit or the abort. */
  readonly leave: () => void;
  readonly close: () => void;
}

/** The lock of one writer, whose process may have several transactions in flight or in one commit. */
export const createEnvironmentLock = (path: string): EnvironmentLock => {
  const marker = createMarkerPath(path);
  const file = openSync(marker, 'wx', 0o600);
  const writeState = (state: string): void => void writeSync(file, state, 0);
  writeState(idle);
  let inside = 0;
  return {
    enter: () => {
      if (inside === 0) writeState(committing);
      // Checked even while other commits are inside: the opening process waits for all of them.
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
    // LMDB opens a file once per process, so a process does not exclude itself.
    return ![undefined, process.pid].includes(findMarkerOwner(marker, path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
/** Blocks this thread, because LMDB is opened synchronously. */
const sleepOneMillisecond = (): void => void Atomics.wait(neverNotified, 0, 0, 1);

/** In a directory that cannot be written, LMDB cannot publish a transaction either. */
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

/** For readers: opens the file while no process commits to it. */
export const withCommitsExcluded = <Result>(path: string, open: () => Result): Result => {
  const openingLock = acquireOpeningLock(dirname(path));
  try {
    // Writers that start later see the opening lock.
    for (const marker of listMarkers(path)) {
      while (isCommitting(marker, path)) sleepOneMillisecond();
      if (openingLock !== undefined && findMarkerOwner(marker, path) === undefined) rmSync(marker, { force: true });
    }
    return open();
  } finally {
    openingLock?.release();
  }
};

/** For writers. Commits made while opening, such as new tables, are exclusive too. */
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

/** Commits the body, and retries while another process opens the file. */
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
        // lmdb takes it in place of any result, which its types do not declare.
        return attempt.entered ? body() : (ABORT as never);
      });
      if (attempt.entered) return result;
    } finally {
      if (attempt.entered) lock.leave();
    }
    await setTimeout(1);
  }
};
