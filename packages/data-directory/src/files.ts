/** Files that survive a power cut: written and synced, together with their directory. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Syncs a file or a directory. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

export const writeDurably = (path: string, text: string): void => {
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  syncPath(path);
};

const blockBytes = 1024 * 1024;

/** `done` counts bytes. */
export type Progress = (done: number) => void;

/** Calls `use` with each block in order, and awaits it before the next read. */
const forEachBlock = async (
  file: FileHandle,
  use: (block: Buffer) => Promise<unknown>,
  progress: Progress,
): Promise<void> => {
  const buffer = Buffer.allocUnsafe(blockBytes);
  for (let done = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, blockBytes, done);
    if (bytesRead === 0) return;
    await use(buffer.subarray(0, bytesRead));
    done += bytesRead;
    progress(done);
  }
};

const writeAll = async (file: FileHandle, block: Buffer): Promise<void> => {
  for (let at = 0; at < block.length; ) at += (await file.write(block, at)).bytesWritten;
};

/** The SHA-256 of a file, in hexadecimal. */
export const digestFile = async (path: string, progress: Progress): Promise<string> => {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    await forEachBlock(file, async (block) => hash.update(block), progress);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
};

/** Copies to a new file and syncs it; returns the SHA-256 of the content. */
export const copyWithDigest = async (from: string, to: string, progress: Progress): Promise<string> => {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      const put = (block: Buffer): Promise<void> => {
        hash.update(block);
        return writeAll(target, block);
      };
      await forEachBlock(source, put, progress);
      await target.sync();
      return hash.digest('hex');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};
