/** What the first and the last bytes of a file show. */
import { open } from 'node:fs/promises';
import type { ReadableFile } from '../reader';

export interface FileEnds {
  readonly head: Buffer;
  /** The last bytes; all of a small file. */
  readonly tail: Buffer;
}

export const headBytes = 8_192;
/** An archive's directory ends with a record of 22 bytes and a comment of 65,535 at most. */
export const tailBytes = 22 + 65_535;

const readAt = async (path: string, position: number, length: number): Promise<Buffer> => {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

export const readEnds = async ({ path, size }: ReadableFile): Promise<FileEnds> => ({
  head: await readAt(path, 0, Math.min(size, headBytes)),
  tail: await readAt(path, Math.max(0, size - tailBytes), Math.min(size, tailBytes)),
});

const startsWith = (bytes: Buffer, text: string): boolean =>
  bytes.subarray(0, text.length).equals(Buffer.from(text, 'latin1'));

export const isZip = ({ head }: FileEnds): boolean => startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06');

/** Office files before 2007, and encrypted ones of today. */
export const isCompoundFile = ({ head }: FileEnds): boolean => startsWith(head, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1');

export const isPdf = ({ head }: FileEnds): boolean => startsWith(head, '%PDF-');

export const isPng = ({ head }: FileEnds): boolean => startsWith(head, '\x89PNG\r\n\x1a\n');

/** With 0xf7, it is JPEG-LS, which is another format. */
export const isJpeg = ({ head }: FileEnds): boolean =>
  head.length > 3 && startsWith(head, '\xff\xd8\xff') && head[3] !== 0xf7;

const pdfMarkBytes = 1_024 + 5;

export const mayHoldPdf = ({ head }: FileEnds): boolean => head.subarray(0, pdfMarkBytes).includes('%PDF-');

/** Programs that show PDF look for its mark in the first kilobyte, and for its end in the last. */
export const holdsPdf = (ends: FileEnds): boolean =>
  mayHoldPdf(ends) && ends.tail.subarray(-2_048).includes('startxref');

const archiveEnd = 'PK\x05\x06';

export const mayEndAsZip = ({ tail }: FileEnds): boolean => tail.includes(archiveEnd);

/** An archive may have anything in front of it, for programs read it from its end. */
export const endsAsZip = ({ tail }: FileEnds): boolean => {
  for (let at = tail.lastIndexOf(archiveEnd); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(archiveEnd, at - 1))
    if (at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true;
  return false;
};
