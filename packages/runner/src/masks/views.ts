/**
 * A text with one layer of encoding undone, as bytes that know where they come from: escape sequences of terminals removed, the columns of
 * a hexadecimal dump joined, or one of two encodings decoded. Secrets are searched in views as they are in the text itself.
 */
import type { Reading } from './readings';

export interface View {
  readonly bytes: Buffer;
  /** By byte: where its source begins and ends in the text. Undefined: the view is the text. */
  readonly source: { readonly starts: Int32Array; readonly ends: Int32Array } | undefined;
  /** The view has no byte of the text from here on: what is there is incomplete. */
  readonly end: number;
}

export const viewOfText = (bytes: Buffer): View => ({ bytes, source: undefined, end: bytes.length });

export const startOf = ({ bytes, source, end }: View, index: number): number =>
  index >= bytes.length ? end : source === undefined ? index : (source.starts[index] as number);

export const endOf = ({ source }: View, index: number): number =>
  source === undefined ? index + 1 : (source.ends[index] as number);

/** A position in the middle of what the view decodes as one is moved to its beginning, so that the rest is decoded alike later. */
export const alignToView = ({ bytes, source, end }: View, position: number): number => {
  if (source === undefined) return position;
  if (position > end) return end;
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((source.starts[middle] as number) <= position) low = middle + 1;
    else high = middle;
  }
  const start = source.starts[low - 1];
  return start !== undefined && position < (source.ends[low - 1] as number) ? start : position;
};

interface ViewWriter {
  readonly write: (byte: number, start: number, end: number) => void;
  readonly view: (end: number) => View;
}

export const openViewWriter = (base: View): ViewWriter => {
  // No decoding makes a text longer.
  const size = base.bytes.length;
  const [bytes, starts, ends] = [Buffer.allocUnsafe(size), new Int32Array(size), new Int32Array(size)];
  let length = 0;
  return {
    write: (byte, start, end) => {
      bytes[length] = byte;
      starts[length] = startOf(base, start);
      ends[length] = endOf(base, end - 1);
      length += 1;
    },
    view: (end) => ({
      bytes: bytes.subarray(0, length),
      source: { starts: starts.subarray(0, length), ends: ends.subarray(0, length) },
      end: startOf(base, end),
    }),
  };
};

/** Undefined: there is nothing to decode. */
export const decodeView = (
  base: View,
  { token, triggers = [] }: Pick<Reading, 'token' | 'triggers'>,
  isLast: boolean,
): View | undefined => {
  const { bytes } = base;
  if (token === undefined || !triggers.some((trigger) => bytes.includes(trigger))) return undefined;
  const isTrigger = new Uint8Array(256);
  for (const trigger of triggers) isTrigger[trigger] = 1;
  const writer = openViewWriter(base);
  let isDecoded = false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    const piece = isTrigger[byte] === 1 ? token(bytes, at) : undefined;
    if (piece === 'incomplete' && !isLast) return writer.view(at);
    if (typeof piece === 'object') {
      isDecoded = true;
      for (const decoded of piece.bytes) writer.write(decoded, at, at + piece.length);
      at += piece.length;
    } else {
      writer.write(byte, at, at + 1);
      at += 1;
    }
  }
  return isDecoded ? writer.view(at) : undefined;
};
