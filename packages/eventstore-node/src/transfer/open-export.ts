/** Opens an exported log. A file is first checked for its last line, because an import cannot be undone. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isLeft } from 'fp-ts/Either';
import { Trailer } from './format/header';
import { TransferError } from './transfer-error';

const blockBytes = 256 * 1024;
const tailBytes = 4 * 1024;

const isTrailer = (line: string): boolean => {
  try {
    return !isLeft(Trailer.decode(JSON.parse(line)));
  } catch {
    return false;
  }
};

/** The last line is short: it only counts. */
const checkTail = async (path: string): Promise<void> => {
  const file = await open(path, 'r');
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return;
    const start = Math.max(0, stat.size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, start);
    const last = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').at(-1) ?? '';
    if (!isTrailer(last))
      throw new TransferError(`${path} is cut off: its last line, which counts the events, is missing.`);
  } finally {
    await file.close();
  }
};

export const openInput = async (path: string): Promise<AsyncIterable<Buffer>> => {
  if (path === '-') return process.stdin as AsyncIterable<Buffer>;
  await checkTail(path);
  return createReadStream(path, { highWaterMark: blockBytes }) as AsyncIterable<Buffer>;
};
