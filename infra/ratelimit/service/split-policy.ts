/**
 * Splits the text of a policy: the entries of its long lists are parsed one by one on demand, so that no step takes
 * long, however many there are.
 */
import { isLeft } from 'fp-ts/Either';
import { type Entries, type PolicyLists, UnreadableEntry } from '../../../packages/ratelimit/src/server';
import { parseJson } from '../../server/http/untrusted-json';

export interface PolicyText {
  /** The policy with its long lists emptied. */
  readonly frame: Uint8Array;
  readonly lists: PolicyLists;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openingBracket, openingBrace, closingBracket, closingBrace] = [0x5b, 0x7b, 0x5d, 0x7d];
const white = new Set([0x20, 0x0a, 0x0d, 0x09]);
const listNames = ['overrides', 'allow', 'blocks'] as const;
type ListName = (typeof listNames)[number];
const quotedNames = listNames.map((name) => [name, Buffer.from(`"${name}"`)] as const);

const listNameOf = (text: Uint8Array): ListName | undefined =>
  quotedNames.find(([, quoted]) => quoted.equals(text))?.[0];

/** Start (inclusive) and end (exclusive) offsets, alternating. */
type Bounds = number[];

const createEntries = (bytes: Uint8Array, bounds: Bounds): Entries<unknown> => ({
  length: bounds.length / 2,
  at: (index) => {
    const read = parseJson(bytes.subarray(bounds[2 * index], bounds[2 * index + 1]));
    return isLeft(read)
      ? new UnreadableEntry(`cannot be read. ${read.left.replace(/the body/i, 'The entry')}`)
      : read.right;
  },
});

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) if (!white.has(bytes[at] as number)) return false;
  return true;
};

const findEndOfText = (bytes: Uint8Array, from: number): number => {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
};

interface Splitter {
  /** Scans from `from` to `to`, or to the end of a text that begins before; returns where it stopped. */
  readonly scan: (from: number, to: number) => number;
  readonly result: () => PolicyText;
}

const createSplitter = (bytes: Uint8Array): Splitter => {
  const found = new Map<ListName, Bounds>();
  const frameParts: Uint8Array[] = [];
  /** Bounds of the list being split, whose entries are at depth 2. */
  let bounds: Bounds | undefined;
  /** The last member name at the top level: in front of a list, the list's name. */
  let listName: ListName | undefined;
  let [depth, frameFrom, entryFrom] = [0, 0, 0];
  const opened = (at: number): void => {
    depth += 1;
    if (depth !== 2 || bytes[at] !== openingBracket || listName === undefined || found.has(listName)) return;
    bounds = [];
    found.set(listName, bounds);
    entryFrom = at + 1;
    frameParts.push(bytes.subarray(frameFrom, entryFrom));
  };
  const closed = (at: number): void => {
    depth -= 1;
    if (depth !== 1 || bounds === undefined) return;
    if (bounds.length > 0 || !isBlank(bytes, entryFrom, at)) bounds.push(entryFrom, at);
    bounds = undefined;
    frameFrom = at;
  };
  const divided = (at: number): void => {
    if (depth !== 2 || bounds === undefined) return;
    bounds.push(entryFrom, at);
    entryFrom = at + 1;
  };
  return {
    scan: (from, to) => {
      let at = from;
      for (; at < to; at += 1) {
        const byte = bytes[at] as number;
        if (byte === quote) {
          const end = findEndOfText(bytes, at);
          if (depth === 1) listName = listNameOf(bytes.subarray(at, end + 1));
          at = end;
        } else if (byte === comma) divided(at);
        else if (byte === openingBracket || byte === openingBrace) opened(at);
        else if (byte === closingBracket || byte === closingBrace) closed(at);
      }
      return at;
    },
    result: () => {
      // An unterminated list leaves invalid JSON in the frame.
      const end = bounds === undefined ? [bytes.subarray(frameFrom)] : [];
      const lists = [...found].map(([name, entryBounds]) => [name, createEntries(bytes, entryBounds)] as const);
      return { frame: Buffer.concat([...frameParts, ...end]), lists: Object.fromEntries(lists) };
    },
  };
};

const bytesPerStep = 65_536;

/** Malformed JSON stays malformed, in the frame or in an entry. */
export function* splitPolicy(bytes: Uint8Array): Generator<undefined, PolicyText> {
  const { scan, result } = createSplitter(bytes);
  for (let at = 0; at < bytes.length; at = scan(at, Math.min(at + bytesPerStep, bytes.length))) yield;
  return result();
}
