/** Reads the data of server-sent events (WHATWG HTML, section 9.2.6) from bytes cut anywhere. */
import { type BoundedJson, createBoundedJson } from './bounded-json';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const dataField = Buffer.from('data:');
const newline = Uint8Array.of(lineFeed);

export interface SseDataReader {
  readonly add: (bytes: Uint8Array) => void;
  /** The stream ended: an unterminated event is complete. */
  readonly end: () => void;
}

interface State {
  /** Length of the field name read so far, with the space after `data:`; -1 on other lines. */
  named: number;
  /** Whether the current line is empty so far. */
  empty: boolean;
  /** Data lines of the current event. */
  lines: number;
  afterReturn: boolean;
}

const endOfLine = (bytes: Uint8Array, from: number): number => {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === lineFeed || bytes[at] === carriageReturn) return at;
  return bytes.length;
};

/** Skips the field name and one space; returns where the content starts. */
const pastName = (state: State, piece: Uint8Array, json: BoundedJson): number => {
  let at = 0;
  while (state.named >= 0 && state.named < dataField.length && at < piece.length) {
    state.named = piece[at] === dataField[state.named] ? state.named + 1 : -1;
    at += 1;
    if (state.named !== dataField.length) continue;
    if (state.lines > 0) json.add(newline);
    state.lines += 1;
  }
  if (state.named !== dataField.length || at >= piece.length) return at;
  state.named += 1;
  return piece[at] === space ? at + 1 : at;
};

/** Skips the second half of a line ending that was cut. */
const halfEnd = (state: State, bytes: Uint8Array): number => {
  if (bytes.length === 0) return 0;
  const half = state.afterReturn && bytes[0] === lineFeed ? 1 : 0;
  state.afterReturn = false;
  return half;
};

/** Offset of the next line. */
const pastEnd = (state: State, bytes: Uint8Array, end: number): number => {
  const next = end + 1;
  if (bytes[end] !== carriageReturn) return next;
  state.afterReturn = next === bytes.length;
  return bytes[next] === lineFeed ? next + 1 : next;
};

const readPiece = (state: State, piece: Uint8Array, json: BoundedJson): void => {
  if (piece.length === 0) return;
  state.empty = false;
  const from = pastName(state, piece, json);
  if (state.named > dataField.length && from < piece.length) json.add(piece.subarray(from));
};

export const createSseDataReader = (
  onData: (data: unknown) => void,
  json: BoundedJson = createBoundedJson(),
): SseDataReader => {
  const state: State = { named: 0, empty: true, lines: 0, afterReturn: false };
  const dispatch = (): void => {
    if (state.lines === 0) return;
    state.lines = 0;
    const data = json.take();
    // `[DONE]` and other invalid JSON carry no usage.
    if (data !== undefined) onData(data);
  };
  const add = (bytes: Uint8Array): void => {
    let at = halfEnd(state, bytes);
    while (at < bytes.length) {
      const end = endOfLine(bytes, at);
      readPiece(state, bytes.subarray(at, end), json);
      if (end === bytes.length) return;
      if (state.empty) dispatch();
      state.named = 0;
      state.empty = true;
      at = pastEnd(state, bytes, end);
    }
  };
  return { add, end: dispatch };
};
