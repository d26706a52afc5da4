/**
 * Files that hold content. A name is random and never used again, and no key is in it: a file counts once the index names
 * it, which it does when the file and its name are on disk, so a half written one is only ever litter.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface ContentFiles {
  readonly newName: () => string;
  readonly pathOf: (name: string) => string;
  /** On disk when it resolves; when it rejects, nothing is left. */
  readonly write: (name: string, chunks: AsyncIterable<Buffer>) => Promise<void>;
  /** Missing files are no fault. */
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** Names of files older than that moment, half written ones among them. */
  readonly olderThan: (milliseconds: number) => AsyncIterable<string>;
}

const fanOut = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));
const enoughToWrite = 256 * 1024;

const writeAll = async (file: FileHandle, chunks: readonly Buffer[]): Promise<void> => {
  const expected = chunks.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await file.writev(chunks);
  if (bytesWritten === expected) return;
  // A rare short write: after a signal, or on a disk that is nearly full.
  const rest = Buffer.concat(chunks).subarray(bytesWritten);
  for (let at = 0; at < rest.length; ) at += (await file.write(rest, at)).bytesWritten;
};

/** One write is under way while the next chunks are awaited and hashed. */
const writeChunks = async (file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> => {
  let gathered: Buffer[] = [];
  let bytes = 0;
  let writing = Promise.resolve();
  try {
    for await (const chunk of chunks) {
      gathered.push(chunk);
      bytes += chunk.length;
      if (bytes < enoughToWrite) continue;
      await writing;
      writing = writeAll(file, gathered);
      // Awaited in the next round; the handler prevents an unhandled rejection until then.
      writing.catch(() => undefined);
      [gathered, bytes] = [[], 0];
    }
  } finally {
    await writing;
  }
  if (bytes > 0) await writeAll(file, gathered);
};

const flushDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};

/** When opening only. */
export const flushNames = (directory: string): void => {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Both at once: on a journaling file system they are one commit. */
const writeFlushed = async (path: string, chunks: AsyncIterable<Buffer>): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeChunks(file, chunks);
    await Promise.all([file.datasync(), flushDirectory(dirname(path))]);
  } finally {
    await file.close();
  }
};

async function* olderThan(directory: string, milliseconds: number): AsyncGenerator<string> {
  for (const name of await readdir(directory)) {
    const found = await stat(join(directory, name)).catch(() => undefined);
    if (found?.isFile() === true && found.mtimeMs < milliseconds) yield name;
  }
}

async function* allOlderThan(directory: string, milliseconds: number): AsyncGenerator<string> {
  for (const folder of fanOut) yield* olderThan(join(directory, folder), milliseconds);
}

/** Throws when the directory cannot be one. */
export const openFiles = (directory: string): ContentFiles => {
  // All at once, so that no write has to make one and flush the directory above it.
  for (const folder of fanOut) mkdirSync(join(directory, folder), { recursive: true, mode: 0o700 });
  flushNames(directory);
  const pathOf = (name: string): string => join(directory, name.slice(0, 2), name);
  return {
    newName: () => randomBytes(16).toString('hex'),
    pathOf,
    write: async (name, chunks) => {
      const path = pathOf(name);
      try {
        await writeFlushed(path, chunks);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    remove: async (names) => {
      for (const name of names) await rm(pathOf(name), { force: true });
    },
    olderThan: (milliseconds) => allOlderThan(directory, milliseconds),
  };
};
