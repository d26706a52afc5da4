/** Reads JSON that arrives in pieces: parsed whole if it is small, only scanned for usage if it is large. */

const maxWholeBytes = 1_048_576;

export interface BoundedJson {
  readonly add: (bytes: Uint8Array) => void;
  /** The parsed value, undefined if invalid; resets. */
  readonly take: () => unknown;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Most texts arrive in one piece. */
const textOf = (pieces: readonly Uint8Array[]): string => {
  const [first, ...others] = pieces;
  if (first === undefined) return '';
  if (others.length > 0) return Buffer.concat([first, ...others]).toString('utf8');
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength).toString('utf8');
};

export const createBoundedJson = (maxBytes = maxWholeBytes): BoundedJson => {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let scan: UsageScan | undefined;
  const becomeLarge = (): void => {
    scan = createUsageScan();
    for (const piece of pieces) scan.add(piece);
    pieces = [];
  };
  return {
    add: (bytes) => {
      size += bytes.length;
      if (scan !== undefined) return scan.add(bytes);
      pieces.push(bytes);
      if (size > maxBytes) becomeLarge();
    },
    take: () => {
      const [whole, large] = [pieces, scan];
      [pieces, size, scan] = [[], 0, undefined];
      return large === undefined ? parseJson(textOf(whole)) : large.found();
    },
  };
};

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openObject = 0x7b;
const closers = new Set([0x5d, 0x7d]);
const openers = new Set([0x5b, openObject]);

const maxNameLength = 16;
const maxUsageBytes = 65_536;
const holders = new Set(['response', 'message']);

export interface UsageScan {
  readonly add: (bytes: Uint8Array) => void;
  /** An object with `usage` only; undefined if it was not found. */
  readonly found: () => unknown;
}

interface ScanState {
  depth: number;
  /** Whether the open containers of the first two depths are objects, and their current member names. */
  readonly objects: boolean[];
  readonly names: string[];
  text: 'none' | 'open' | 'escaped';
  /** The last text; it is a name if a colon follows. */
  written: string;
  captured: number[] | undefined;
  capturedAt: number;
  found: unknown;
}

const isUsageObject = ({ depth, objects, names }: ScanState): boolean => {
  if (objects[1] !== true) return false;
  if (depth === 1) return names[1] === 'usage';
  return depth === 2 && objects[2] === true && holders.has(names[1] ?? '') && names[2] === 'usage';
};

const parseCaptured = (bytes: readonly number[]): unknown => {
  try {
    return { usage: JSON.parse(Buffer.from(bytes).toString('utf8')) };
  } catch {
    return undefined;
  }
};

const open = (state: ScanState, byte: number): void => {
  if (byte === openObject && state.captured === undefined && isUsageObject(state)) {
    state.captured = [byte];
    state.capturedAt = state.depth;
  }
  state.depth += 1;
  state.objects[state.depth] = byte === openObject;
  state.names[state.depth] = '';
  if (state.depth > 2) state.objects.length = state.names.length = 3;
};

const close = (state: ScanState): void => {
  state.depth -= 1;
  if (state.captured === undefined || state.depth !== state.capturedAt) return;
  state.found = parseCaptured(state.captured) ?? state.found;
  state.captured = undefined;
};

const scanInText = (state: ScanState, byte: number): void => {
  if (state.text === 'open' && byte === quote) {
    state.text = 'none';
    return;
  }
  state.text = state.text === 'open' && byte === backslash ? 'escaped' : 'open';
  if (state.depth <= 2 && state.written.length <= maxNameLength) state.written += String.fromCharCode(byte);
};

const scanOutsideText = (state: ScanState, byte: number): void => {
  if (byte === quote) {
    state.text = 'open';
    state.written = '';
  } else if (openers.has(byte)) open(state, byte);
  else if (closers.has(byte)) close(state);
  else if (byte === colon && state.depth <= 2) state.names[state.depth] = state.written;
  else if (byte === comma && state.depth <= 2) state.names[state.depth] = '';
};

const scanByte = (state: ScanState, byte: number): void => {
  if (state.captured !== undefined && state.captured.push(byte) > maxUsageBytes) state.captured = undefined;
  if (state.text === 'none') scanOutsideText(state, byte);
  else scanInText(state, byte);
};

/**
 * Finds `usage` in the bytes of a JSON text with little memory, because responses can be too large to keep. Looks in
 * the outermost object, its `response` and its `message`.
 */
export const createUsageScan = (): UsageScan => {
  const state: ScanState = {
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
      for (const byte of bytes) scanByte(state, byte);
    },
    found: () => state.found,
  };
};
