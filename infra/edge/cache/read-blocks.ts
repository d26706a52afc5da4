/** Bytes of an open file, a block at a time: what a slow client waits for is on the disk, not in memory. */
import type { FileHandle } from 'node:fs/promises';
import type { Span } from '../../server/http/streaming/byte-range';

const blockBytes = 128 * 1024;

export async function* readBlocks(handle: FileHandle, { first, length }: Span): AsyncGenerator<Buffer> {
  const end = first + length;
  for (let at = first; at < end; ) {
    const block = Buffer.allocUnsafeSlow(Math.min(blockBytes, end - at));
    const { bytesRead } = await handle.read(block, 0, block.length, at);
    if (bytesRead === 0) throw new Error('the file is shorter than it was');
    at += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
