/** Bytes at a position: of a film only what is needed is in memory. */
import { open } from 'node:fs/promises';

export interface ByteSource {
  readonly size: number;
  /** Fewer bytes than `length` at the end. */
  readonly read: (offset: number, length: number) => Promise<Buffer>;
}

export interface OpenFile extends ByteSource {
  readonly close: () => Promise<void>;
}

export const openByteSource = async (path: string): Promise<OpenFile> => {
  const handle = await open(path);
  const { size } = await handle.stat();
  return {
    size,
    read: async (offset, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
      return bytes.subarray(0, bytesRead);
    },
    close: () => handle.close(),
  };
};
