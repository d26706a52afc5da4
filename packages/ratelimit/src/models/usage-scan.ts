/**
 * Finds what a JSON text says was used, as its bytes pass, in as little memory as that takes: answers can be larger than what anybody
 * wants to keep. Looks for `usage` of the outermost object, of its `response` and of its `message`.
 */

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openObject = 0x7b;
const closers = new Set([0x5d, 0x7d]);
const openers = new Set([0x5b, openObject]);

const longestName = 16;
const longestUsage = 65_536;
const holders = new Set(['response', 'message']);

export interface UsageScan {
  readonly add: (bytes: Uint8Array) => void;
  /** As an answer that says nothing else; undefined when it was not found. */
  readonly found: () => unknown;
}

interface State {
  depth: number;
  /** Whether what is open at the first two depths are objects, and what is being read of them. */
  readonly objects: boolean[];
  readonly names: string[];
  text: 'none' | 'open' | 'escaped';
  /** Of the last text; a name where a colon follows. */
  written: string;
  captured: number[] | undefined;
  capturedAt: number;
  found: unknown;
}

const wanted = ({ depth, objects, names }: State): boolean => {
  if (objects[1] !== true) return false;
  if (depth === 1) return names[1] === 'usage';
  return depth === 2 && objects[2] === true && holders.has(names[1] ?? '') && names[2] === 'usage';
};

const parsed = (bytes: readonly number[]): unknown => {
  try {
    return { usage: JSON.parse(Buffer.from(bytes).toString('utf8')) };
  } catch {
    return undefined;
  }
};

const open = (state: State, byte: number): void => {
  if (byte === openObject && state.captured === undefined && wanted(state)) {
    state.captured = [byte];
    state.capturedAt = state.depth;
  }
  state.depth += 1;
  state.objects[state.depth] = byte === openObject;
  state.names[state.depth] = '';
  if (state.depth > 2) state.objects.length = state.names.length = 3;
};

const close = (state: State): void => {
  state.depth -= 1;
  if (state.captured === undefined || state.depth !== state.capturedAt) return;
  state.found = parsed(state.captured) ?? state.found;
  state.captured = undefined;
};

const inText = (state: State, byte: number): void => {
  if (state.text === 'open' && byte === quote) {
    state.text = 'none';
    return;
  }
  state.text = state.text === 'open' && byte === backslash ? 'escaped' : 'open';
  if (state.depth <= 2 && state.written.length <= longestName) state.written += String.fromCharCode(byte);
};

const outOfText = (state: State, byte: number): void => {
  if (byte === quote) {
    state.text = 'open';
    state.written = '';
  } else if (openers.has(byte)) open(state, byte);
  else if (closers.has(byte)) close(state);
  else if (byte === colon && state.depth <= 2) state.names[state.depth] = state.written;
  else if (byte === comma && state.depth <= 2) state.names[state.depth] = '';
};

const step = (state: State, byte: number): void => {
  if (state.captured !== undefined && state.captured.push(byte) > longestUsage) state.captured = undefined;
  if (state.text === 'none') outOfText(state, byte);
  else inText(state, byte);
};

export const usageScan = (): UsageScan => {
  const state: State = {
    depth: 0,
    objects: [],
    names: [],
    text: 'none',
    written: '',
    captured: undefined,
    capturedAt: 0,
    found: undefined,
  };
  return {
    add: (bytes) => {
      for (const byte of bytes) step(state, byte);
    },
    found: () => state.found,
  };
};
