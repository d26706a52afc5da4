/** Measures and removes directories that hostile programs filled. No process of the program may run while one is removed. */
import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { lstat, opendir, readdir, rmdir, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An entry without content takes an inode and a line of its directory. */
const entryBytes = 1_024;

const entriesAtOnce = 64;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Bytes on disk below a directory, counted no further than above the bound. Follows no links. Infinite for a tree that cannot be listed, because files can be hidden in
 * it: paths longer than the system takes, or, if the service is not root, directories without rights for their owner.
 */
export const diskUsageOf = async (directory: string, bound: number): Promise<number> => {
  let [bytes, isHidden] = [0, false];
  const noteHidden = (error: unknown): void => {
    // Other errors mean that the program removed the entry meanwhile.
    if (codeOf(error) === 'ENAMETOOLONG' || codeOf(error) === 'EACCES') isHidden = true;
  };
  const waiting = [directory];
  for (let path = waiting.pop(); path !== undefined && !isHidden && bytes <= bound; path = waiting.pop()) {
    const parent = path;
    const names = await readdir(parent).catch((error: unknown) => {
      noteHidden(error);
      return [];
    });
    for (let from = 0; from < names.length && bytes <= bound; from += entriesAtOnce) {
      const paths = names.slice(from, from + entriesAtOnce).map((name) => `${parent}/${name}`);
      const entries = await Promise.all(paths.map((entry) => lstat(entry).catch(noteHidden)));
      for (const [index, entry] of entries.entries()) {
        if (entry === undefined) continue;
        bytes += entry.blocks * 512 + entryBytes;
        if (entry.isDirectory()) waiting.push(paths[index] as string);
      }
    }
  }
  return isHidden ? Number.POSITIVE_INFINITY : bytes;
};

/** What most programs leave. */
const fewEntries = 64;

/** Removes a directory that has few files and directories, which have few files in turn. Throws for others, with some of it left. */
const removeFlat = async (directory: string, depth = 1): Promise<void> => {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(directory)) {
    if (entries.length === fewEntries) throw new Error('A directory has many entries.');
    entries.push(entry);
  }
  for (const entry of entries) {
    const path = `${directory}/${entry.name}`;
    if (!entry.isDirectory()) await unlink(path);
    else if (depth > 0) await removeFlat(path, depth - 1);
    else throw new Error('Directories are nested.');
  }
  await rmdir(directory);
};

/** Of one sandbox. Two programs cost more processor time than the sandbox of a short one. */
export const removeSandbox = (directory: string): Promise<void> =>
  removeFlat(directory).catch(() => removeTree(directory));

/** By programs that walk by descriptors: paths can be longer than the system takes, and directories without rights. */
export const removeTree = async (directory: string): Promise<void> => {
  await run('chmod', ['-R', 'u+rwX', '--', directory]).catch(() => undefined);
  await run('rm', ['-rf', '--one-file-system', '--', directory]);
};
