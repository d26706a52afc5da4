/**
 * The text of chunks. A character that two chunks share is in the text of the one in which it ends, so that the text of a chunk is the same for
 * every viewer, wherever reading began. Bytes that are no UTF-8 become U+FFFD.
 */
import { gunzipSync } from 'node:zlib';
import type { StoredChunk } from '../../ports/workflow/log-store';

/** Longest beginning of a character, in bytes. */
export const longestCarry = 3;

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
const lengthFrom = (lead: number): number => {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
};

/** How many bytes at the end are the beginning of a character. */
const unfinished = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(longestCarry, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    return lengthFrom(byte) > back ? back : 0;
  }
  return 0;
};

export interface DecodedChunk {
  readonly text: string;
  /** Belongs to the next chunk. */
  readonly carry: Uint8Array;
}

export const bytesOfChunk = (
  { encoding, payload }: Pick<StoredChunk, 'encoding' | 'payload'>,
  most: number,
): Uint8Array => (encoding === 'gzip' ? gunzipSync(payload, { maxOutputLength: most }) : payload);

export const decodeChunk = (carry: Uint8Array, bytes: Uint8Array): DecodedChunk => {
  const whole =
    carry.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.concat([carry, bytes]);
  const cut = whole.length - unfinished(whole);
  return { text: whole.toString('utf8', 0, cut), carry: whole.subarray(cut) };
};
