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
import { isLocked, type Lock, lockDirectory, ownName, runningAs } from './index';

/** All that is in a writer's mark. */
const [committing, idle] = ['1', '0'];
const opening = 'opening';
const marksOf = (path: string): string => `${path}-writer.`;

/** Who it is stands in the name, so that one that was just made is never taken for one of somebody who is gone. */
const newMark = (path: string): string =>
  `${marksOf(path)}${ownName().replace(' ', '.')}.${randomBytes(6).toString('hex')}`;

const writerOf = (mark: string, path: string): number | undefined => {
  const [pid = '', started = ''] = mark.slice(marksOf(path).length).split('.');
  return runningAs(`${pid} ${started}`);
};

export interface Door {
  /** Inside a transaction that has changed nothing yet. False: somebody opens the file, it must not become one. */
  readonly enter: () => boolean;
  /** After its commit, or when nothing came of it. */
  readonly leave: () => void;
  readonly close: () => void;
}

/** Of one writer of the file, in a process that may have several transactions under way, or several in one commit. */
export const createDoor = (path: string): Door => {
  const mark = newMark(path);
  const file = openSync(mark, 'wx', 0o600);
  const say = (state: string): void => void writeSync(file, state, 0);
  say(idle);
  let inside = 0;
  return {
    enter: () => {
      if (inside === 0) say(committing);
      // Also when others are inside: those who open wait for all of them.
      if (!isLocked(dirname(path), opening)) {
        inside += 1;
        return true;
      }
      if (inside === 0) say(idle);
      return false;
    },
    leave: () => {
      inside -= 1;
      if (inside === 0) say(idle);
    },
    close: () => {
      closeSync(file);
      rmSync(mark, { force: true });
    },
  };
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const isCommitting = (mark: string, path: string): boolean => {
  try {
    if (readFileSync(mark, 'utf8') !== committing) return false;
    // Within one process LMDB opens a file once.
    return ![undefined, process.pid].includes(writerOf(mark, path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

const never = new Int32Array(new SharedArrayBuffer(4));
/** For a millisecond, on this thread: LMDB is opened on it too. */
const pauseHere = (): void => void Atomics.wait(never, 0, 0, 1);

/** Where it cannot be left, LMDB can tell nobody anything either. */
const mayNotWrite = ['EACCES', 'EPERM', 'EROFS'];

const wordOfOpening = (directory: string): Lock | undefined => {
  try {
    for (;;) {
      const lock = lockDirectory(directory, opening);
      if (!isLeft(lock)) return lock.right;
      pauseHere();
    }
  } catch (error) {
    if (mayNotWrite.includes(codeOf(error))) return undefined;
    throw error;
  }
};

const marksThere = (path: string): readonly string[] => {
  const directory = dirname(path);
  const first = basename(marksOf(path));
  return readdirSync(directory).flatMap((name) => (name.startsWith(first) ? [join(directory, name)] : []));
};

/** For those who open the file to read it. */
export const whileNobodyCommits = <Result>(path: string, open: () => Result): Result => {
  const word = wordOfOpening(dirname(path));
  try {
    // Whoever comes after these finds the word.
    for (const mark of marksThere(path)) {
      while (isCommitting(mark, path)) pauseHere();
      if (word !== undefined && writerOf(mark, path) === undefined) rmSync(mark, { force: true });
    }
    return open();
  } finally {
    word?.release();
  }
};

/** For those who write it. What opening commits, such as tables that are new, nobody else's commit or opening comes between. */
export const openBehindDoor = <Opened>(path: string, open: () => Opened): readonly [Opened, Door] => {
  const door = createDoor(path);
  try {
    return [whileNobodyCommits(path, open), door];
  } catch (error) {
    door.close();
    throw error;
  }
};

/** Nothing of the body is there while somebody opens the file: then it is done afterwards. */
export const commitThrough = async <Result>(
  door: Pick<Door, 'enter' | 'leave'>,
  transact: (body: () => Result) => Promise<Result>,
  body: () => Result,
): Promise<Result> => {
  for (;;) {
    const turn = { entered: false };
    try {
      const result = await transact(() => {
        turn.entered = door.enter();
        // lmdb takes it in place of any result, which its types do not say.
        return turn.entered ? body() : (ABORT as never);
      });
      if (turn.entered) return result;
    } finally {
      if (turn.entered) door.leave();
    }
    await setTimeout(1);
  }
};
