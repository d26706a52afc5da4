/** WebP (RFC 9649). */
import type { Bytes } from './bytes';
import type { Picture } from './picture';
import { exifOrientation } from './tiff';

const maxChunks = 10_000;
const maxExif = 60_000;
const lossySync = 0x2a019d;
const losslessMark = 0x2f;

interface Size {
  readonly width: number;
  readonly height: number;
}

const sizes: Readonly<Record<string, (head: Buffer) => Size | undefined>> = {
  'VP8 ': (head) =>
    head.readUIntLE(3, 3) === lossySync
      ? { width: head.readUInt16LE(6) & 0x3fff, height: head.readUInt16LE(8) & 0x3fff }
      : undefined,
  VP8L: (head) => {
    const bits = head.readUInt32LE(1);
    return head[0] === losslessMark ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined;
  },
  VP8X: (head) => ({ width: head.readUIntLE(4, 3) + 1, height: head.readUIntLE(7, 3) + 1 }),
};

const exifData = (chunk: Buffer): Buffer => (chunk.toString('latin1', 0, 6) === 'Exif\0\0' ? chunk.subarray(6) : chunk);

/** Undefined: it is damaged. */
export const readWebp = async (bytes: Bytes): Promise<Picture | undefined> => {
  let size: Size | undefined;
  let orientation: Picture['orientation'] = 1;
  let frames = 0;
  let at = 12;
  for (let chunks = 0; chunks < maxChunks; chunks += 1) {
    const head = await bytes.at(at, 18);
    if (head.length < 8) break;
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    if (head.length >= 18) size ??= sizes[type]?.(head.subarray(8));
    if (type === 'ANMF') frames += 1;
    if (type === 'EXIF' && length <= maxExif)
      orientation = await exifOrientation(exifData(await bytes.at(at + 8, length)));
    // Chunks are filled up to an even length.
    at += 8 + length + (length % 2);
  }
  return size === undefined ? undefined : { format: 'webp', ...size, frames: Math.max(frames, 1), orientation };
};
