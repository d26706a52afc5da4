/** Reads a file here and there, for headers stand far from each other. */
import { type FileHandle, open } from 'node:fs/promises';

export interface Bytes {
  /** Fewer where the file ends. At most 64 KiB. */
  readonly at: (offset: number, length: number) => Promise<Buffer>;
}

const windowBytes = 65_536;

const buffered = (handle: FileHandle): Bytes => {
  let start = 0;
  let window = Buffer.alloc(0);
  return {
    at: async (offset, length) => {
      if (offset < start || offset + length > start + window.length) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(windowBytes), 0, windowBytes, offset);
        start = offset;
        window = buffer.subarray(0, bytesRead);
      }
      return window.subarray(offset - start, offset - start + length);
    },
  };
};

export const withBytes = async <Answer>(path: string, use: (bytes: Bytes) => Promise<Answer>): Promise<Answer> => {
  const handle = await open(path);
  try {
    return await use(buffered(handle));
  } finally {
    await handle.close();
  }
};
