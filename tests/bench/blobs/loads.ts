import type { Readable } from 'node:stream';

const mebibyte = 1024 * 1024;

/** `kept`: how many keys or files rotate. */
export const loads = [
  { label: '4KiB.1caller', size: 4_096, callers: 1, count: 200, kept: 200 },
  { label: '4KiB.32callers', size: 4_096, callers: 32, count: 1_600, kept: 200 },
  { label: '1MiB', size: mebibyte, callers: 1, count: 20, kept: 20 },
  { label: '100MiB', size: 100 * mebibyte, callers: 1, count: 1, kept: 1 },
] as const;

export const drained = async (body: Readable): Promise<number> => {
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  return bytes;
};
