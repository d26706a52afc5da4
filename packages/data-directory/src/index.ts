/**
 * Locks a directory for one process, by a file that names the process. The lock is stale as soon as that process is
 * gone.
 */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { startOf } from './process-identity';

export interface Lock {
  readonly release: () => void;
}

/** When the process started, in one word; or `ended` or `unknown`. */
const startIn = (pid: number): string => {
  const start = startOf(pid);
  return typeof start === 'string' ? start : start.at.replaceAll(/\s+/g, '_');
};

/** Names this process in lock files: by its id, and when it started, so that a recycled id is not mistaken for the holder. */
export const ownProcessName = (): string => `${process.pid} ${startIn(process.pid)}`;

/** The id of the process with this name; undefined if it is gone. What may be the holder is taken for it. */
export const findRunningProcess = (name: string): number | undefined => {
  const [pid, started = ''] = name.split(' ');
  const holder = Number(pid);
  if (!Number.isInteger(holder) || holder <= 0) return undefined;
  const now = startIn(holder);
  if (now === 'ended') return undefined;
  const hasNoStart = started === '' || started === 'unknown';
  return hasNoStart || now === 'unknown' || now === started ? holder : undefined;
};

const argumentsOf = (pid: number): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
};

/** Of Node: what follows them is loaded before the script. */
const preloadOptions = ['-r', '--require', '--import'];

/** Of this project: the entry point comes after it. */
const bundleRunner = 'run.cjs';

/** For operators: `process 4711 (managed-runner.main.js)`. Without its other arguments, which may hold secrets. */
export const describeProcess = (pid: number): string => {
  const [program = '', ...rest] = argumentsOf(pid);
  const script = rest.find(
    (argument, at) =>
      /(\.[cm]?[jt]s|\.main)$/.test(argument) &&
      basename(argument) !== bundleRunner &&
      !preloadOptions.includes(rest[at - 1] ?? ''),
  );
  const name = basename(script ?? program);
  return name === '' ? `process ${pid}` : `process ${pid} (${name})`;
};

const readHolder = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const pathOf = (directory: string, name: string): string => join(directory, `${name}.lock`);

/** Whether a running process holds the lock. Called before every commit, so a missing file must not throw. */
export const isLocked = (directory: string, name: string): boolean => {
  const path = pathOf(directory, name);
  const holder = existsSync(path) ? readHolder(path) : undefined;
  return holder !== undefined && findRunningProcess(holder) !== undefined;
};

/** Claims the lock by a hard link, which fails if the file exists, so that no half-written file is ever seen. */
const claimFile = (path: string): boolean => {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, ownProcessName(), { mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
};

/**
 * Only one process removes a stale lock; otherwise a late one could remove its successor. The removing process may die,
 * too.
 */
const removeStale = (directory: string, name: string, holderName: string): void => {
  const removal = lockDirectory(directory, `${name}-${holderName.slice(0, 40).replaceAll(/\W/g, '-')}`);
  if (isLeft(removal)) return;
  if (readHolder(pathOf(directory, name)) === holderName) rmSync(pathOf(directory, name), { force: true });
  removal.right.release();
};

/** Left: the id of the process that holds the lock. */
export const lockDirectory = (directory: string, name: string): Either<number, Lock> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = pathOf(directory, name);
  for (;;) {
    if (claimFile(path)) return right({ release: () => rmSync(path, { force: true }) });
    const holderName = readHolder(path);
    // Released meanwhile; a lock claimed since then must stay.
    if (holderName === undefined) continue;
    const holder = findRunningProcess(holderName);
    if (holder !== undefined) return left(holder);
    removeStale(directory, name, holderName);
  }
};
