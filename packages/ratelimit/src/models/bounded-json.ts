/** A JSON text that comes in pieces: read whole when it is small, and only looked through for what was used when it is not. */
import { type UsageScan, usageScan } from './usage-scan';

const longestWhole = 1_048_576;

export interface BoundedJson {
  readonly add: (bytes: Uint8Array) => void;
  /** Undefined where it is none; begins anew. */
  readonly take: () => unknown;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Most come in one piece. */
const textOf = ([first, ...others]: readonly Uint8Array[]): string => {
  if (first === undefined) return '';
  if (others.length > 0) return Buffer.concat([first, ...others]).toString('utf8');
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength).toString('utf8');
};

export const boundedJson = (longest = longestWhole): BoundedJson => {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let scan: UsageScan | undefined;
  const becomeLarge = (): void => {
    scan = usageScan();
    for (const piece of pieces) scan.add(piece);
    pieces = [];
  };
  return {
    add: (bytes) => {
      size += bytes.length;
      if (scan !== undefined) return scan.add(bytes);
      pieces.push(bytes);
      if (size > longest) becomeLarge();
    },
    take: () => {
      const [whole, large] = [pieces, scan];
      [pieces, size, scan] = [[], 0, undefined];
      return large === undefined ? parseJson(textOf(whole)) : large.found();
    },
  };
};
