/**
 * One object on its way from object storage to the disk, read by any number of clients while it arrives. Its last bytes are given out once all were
 * held to the digest, so no client takes damaged bytes for the whole. It goes on when its clients leave.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { PartialFile } from './cache-files';

/** `unstored`: whole and verified, and not in the cache. `unwritable`: the disk takes no more; object storage has it all the same. */
export type FillEnd = 'stored' | 'unstored' | 'unwritable' | 'damaged' | 'interrupted';
export type FillFailure = Exclude<FillEnd, 'stored' | 'unstored'>;

export interface Fill {
  readonly size: number;
  readonly handle: FileHandle;
  /** Resolves with how many bytes clients may read, once they are more than `position`, or with how it failed. */
  readonly waitBeyond: (position: number) => Promise<number | FillFailure>;
  /** What is known before it ends; afterwards of all objects. */
  readonly sha256: () => string | undefined;
  readonly ended: Promise<FillEnd>;
}

export interface FillOptions {
  readonly chunks: AsyncIterable<Buffer>;
  readonly size: number;
  /** In hexadecimal. Undefined: neither the name nor the store has it. */
  readonly sha256: string | undefined;
  readonly file: PartialFile;
  /** Of a whole and verified file; resolves with whether the cache has it. */
  readonly keep: (sha256: string) => Promise<boolean>;
  readonly arrived: (bytes: number) => void;
}

class DiskFailure extends Error {}

const write = async ({ handle }: PartialFile, chunk: Buffer, at: number): Promise<void> => {
  try {
    for (let done = 0; done < chunk.length; )
      done += (await handle.write(chunk, done, chunk.length - done, at + done)).bytesWritten;
  } catch {
    throw new DiskFailure();
  }
};

const failureOf = (error: unknown): FillFailure => {
  if (error instanceof DiskFailure) return 'unwritable';
  return (error as NodeJS.ErrnoException).code === 'blob-damaged' ? 'damaged' : 'interrupted';
};

export const startFill = (options: FillOptions): Fill => {
  const { chunks, size, file, keep, arrived } = options;
  const hash = createHash('sha256');
  let { sha256 } = options;
  let readable = 0;
  let failure: FillFailure | undefined;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const receive = async (): Promise<boolean> => {
    let written = 0;
    for await (const chunk of chunks) {
      if (written + chunk.length > size) return false;
      hash.update(chunk);
      arrived(chunk.length);
      await write(file, chunk, written);
      // That more follows is known of the chunk before only.
      readable = written;
      written += chunk.length;
      wake();
    }
    const digest = hash.digest('hex');
    if (written !== size || (sha256 !== undefined && digest !== sha256)) return false;
    sha256 = digest;
    return true;
  };
  const run = async (): Promise<FillEnd> => {
    try {
      if (!(await receive())) return 'damaged';
    } catch (error) {
      return failureOf(error);
    }
    readable = size;
    wake();
    return (await keep(sha256 as string)) ? 'stored' : 'unstored';
  };
  const ended = run().then((end) => {
    if (end !== 'stored' && end !== 'unstored') failure = end;
    wake();
    return end;
  });
  return {
    size,
    handle: file.handle,
    waitBeyond: async (position) => {
      while (failure === undefined && readable <= position) await new Promise<void>((resolve) => waiting.add(resolve));
      return failure ?? readable;
    },
    sha256: () => sha256,
    ended,
  };
};
