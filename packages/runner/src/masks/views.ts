/**
 * A text with one layer of encoding undone, as bytes that know where they come from: escape sequences of terminals removed, the columns of
 * a hexadecimal dump joined, or one of two encodings decoded. Secrets are searched in views as they are in the text itself.
 */
import type { Reading } from './readings';

/** One piece that is decoded: its bytes in the view, and where it begins and ends in what is decoded. Between pieces bytes are the same. */
interface Pieces {
  readonly at: number[];
  readonly lengths: number[];
  readonly starts: number[];
  readonly ends: number[];
}

export interface View {
  readonly bytes: Buffer;
  /** Undefined: the view is the text. */
  readonly source: { readonly base: View; readonly pieces: Pieces } | undefined;
  /** The view has no byte of the text from here on: what is there is incomplete. */
  readonly end: number;
}

export const viewOfText = (bytes: Buffer): View => ({ bytes, source: undefined, end: bytes.length });

/** The last of the first pieces for which the condition holds, by bisection; -1: it holds for none. */
const lastPiece = ({ at }: Pieces, holds: (piece: number) => boolean): number => {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** Where the source of a byte begins and ends in the base. */
const sourceOf = (pieces: Pieces, index: number): readonly [start: number, end: number] => {
  const piece = lastPiece(pieces, (each) => (pieces.at[each] as number) <= index);
  if (piece < 0) return [index, index + 1];
  const within = index - (pieces.at[piece] as number) - (pieces.lengths[piece] as number);
  const end = pieces.ends[piece] as number;
  return within < 0 ? [pieces.starts[piece] as number, end] : [end + within, end + within + 1];
};

export const startOf = ({ bytes, source, end }: View, index: number): number => {
  if (index >= bytes.length) return end;
  return source === undefined ? index : startOf(source.base, sourceOf(source.pieces, index)[0]);
};

export const endOf = ({ source }: View, index: number): number =>
  source === undefined ? index + 1 : endOf(source.base, sourceOf(source.pieces, index)[1] - 1);

/** A position in the middle of what the view decodes as one is moved to its beginning, so that the rest is decoded alike later. */
export const alignToView = (view: View, position: number): number => {
  if (view.source === undefined) return position;
  if (position > view.end) return view.end;
  const { base, pieces } = view.source;
  const piece = lastPiece(pieces, (each) => startOf(base, pieces.starts[each] as number) <= position);
  const [start, end] = [pieces.starts[piece], pieces.ends[piece]];
  return start !== undefined && end !== undefined && position < endOf(base, end - 1) ? startOf(base, start) : position;
};

interface ViewWriter {
  /** Bytes of the base up to the position are the same in the view. */
  readonly copy: (from: number, to: number) => void;
  readonly replace: (start: number, end: number, bytes: readonly number[]) => void;
  readonly view: (end: number) => View;
}

export const openViewWriter = (base: View): ViewWriter => {
  // No decoding makes a text longer.
  const bytes = Buffer.allocUnsafe(base.bytes.length);
  const pieces: Pieces = { at: [], lengths: [], starts: [], ends: [] };
  let length = 0;
  return {
    copy: (from, to) => {
      bytes.set(base.bytes.subarray(from, to), length);
      length += to - from;
    },
    replace: (start, end, decoded) => {
      pieces.at.push(length);
      pieces.lengths.push(decoded.length);
      pieces.starts.push(start);
      pieces.ends.push(end);
      for (const byte of decoded) {
        bytes[length] = byte;
        length += 1;
      }
    },
    view: (end) => ({ bytes: bytes.subarray(0, length), source: { base, pieces }, end: startOf(base, end) }),
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
  let copied = 0;
  for (let at = 0; at < bytes.length; ) {
    const piece = isTrigger[bytes[at] as number] === 1 ? token(bytes, at) : undefined;
    if (piece === 'incomplete' && !isLast) {
      writer.copy(copied, at);
      return writer.view(at);
    }
    if (typeof piece !== 'object') {
      at += 1;
      continue;
    }
    isDecoded = true;
    writer.copy(copied, at);
    at += piece.length;
    copied = at;
    writer.replace(at - piece.length, at, piece.bytes);
  }
  if (!isDecoded) return undefined;
  writer.copy(copied, bytes.length);
  return writer.view(bytes.length);
};
