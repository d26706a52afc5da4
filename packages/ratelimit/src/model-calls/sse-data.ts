/** Data of server-sent events (WHATWG HTML, section 9.2.6) as their bytes pass, wherever these are cut. */
import { type BoundedJson, createBoundedJson } from './bounded-json';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const dataField = Buffer.from('data:');
const newline = Uint8Array.of(lineFeed);

export interface SseDataReader {
  readonly add: (bytes: Uint8Array) => void;
  /** Nothing more comes: an event whose last line was not ended is taken as it is. */
  readonly end: () => void;
}

interface State {
  /** How much of the line's name has been read: of `data:`, its first space too; -1 for lines of no interest. */
  named: number;
  /** Of the line, whether anything came at all. */
  empty: boolean;
  /** Lines of data that the event has so far. */
  lines: number;
  afterReturn: boolean;
}

const endOfLine = (bytes: Uint8Array, from: number): number => {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === lineFeed || bytes[at] === carriageReturn) return at;
  return bytes.length;
};

/** Where the content begins; reads over the name, and one space behind it. */
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

/** What is left out of the next bytes: the other half of an end of a line. */
const halfEnd = (state: State, bytes: Uint8Array): number => {
  if (bytes.length === 0) return 0;
  const half = state.afterReturn && bytes[0] === lineFeed ? 1 : 0;
  state.afterReturn = false;
  return half;
};

/** Where the next line begins. */
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
    // `[DONE]`, and what is no JSON, tells nothing.
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
