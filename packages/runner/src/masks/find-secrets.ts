/** Where secrets are in a text, in any of the readings, and from where on one may have begun whose rest has not arrived yet. */
import type { Automaton } from './automaton';
import { type Reading, readings } from './readings';

export type ByteRange = readonly [from: number, to: number];

export interface FoundSecrets {
  /** From and to, in bytes; in order and apart from each other. */
  readonly ranges: readonly ByteRange[];
  /** The text from here on can change its meaning with what follows. */
  readonly heldFrom: number;
}

/** An encoded value that goes on in the next line has filled its line: programs break them at 60 characters or more. */
const shortestBrokenLine = 32;

interface Scan {
  readonly bytes: Uint8Array;
  readonly automaton: Automaton;
  readonly ranges: ByteRange[];
  /** Nothing follows. */
  readonly isLast: boolean;
}

/** Answers from where on the text is held. */
const scan = ({ triggers = [], table, token }: Reading, { bytes, automaton, ranges, isLast }: Scan): number => {
  const { next, begins, depth, matched } = automaton;
  /** By byte: 1 where there is something to look at although nothing has begun. */
  const isRelevant = begins.map((flag, byte) => (table === undefined ? flag : (begins[table[byte] as number] ?? 0)));
  for (const byte of triggers) isRelevant[byte] = 1;
  /** Where each byte that the reading gives begins, since nothing had begun. */
  const starts: number[] = [];
  let state = 0;
  let at = 0;
  const feed = (byte: number, length: number): void => {
    state = next(state, byte);
    if (state === 0) {
      starts.length = 0;
      return;
    }
    starts.push(at);
    const size = matched[state] as number;
    if (size > 0) ranges.push([starts[starts.length - size] as number, at + length]);
  };
  while (at < bytes.length) {
    if (state === 0 && isRelevant[bytes[at] as number] === 0) {
      at += 1;
      continue;
    }
    const piece = token?.(bytes, at);
    if (piece === 'incomplete' && !isLast) break;
    if (typeof piece === 'object') {
      for (const byte of piece.bytes) feed(byte, piece.length);
      at += piece.length;
      continue;
    }
    const byte = bytes[at] as number;
    const read = table === undefined ? byte : (table[byte] as number);
    if (read >= 0) feed(read, 1);
    else if ((depth[state] as number) < shortestBrokenLine) {
      state = 0;
      starts.length = 0;
    }
    at += 1;
  }
  const begun = depth[state] as number;
  return isLast ? bytes.length : begun > 0 ? (starts[starts.length - begun] as number) : at;
};

export const mergeRanges = (ranges: readonly ByteRange[]): readonly ByteRange[] => {
  const merged: [from: number, to: number][] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
};

export const findSecrets = (bytes: Uint8Array, automata: readonly Automaton[], isLast: boolean): FoundSecrets => {
  const ranges: ByteRange[] = [];
  let heldFrom = bytes.length;
  for (const reading of readings) {
    if (reading.needs?.some((byte) => bytes.includes(byte)) === false) continue;
    for (const automaton of automata)
      heldFrom = Math.min(heldFrom, scan(reading, { bytes, automaton, ranges, isLast }));
  }
  return { ranges: mergeRanges(ranges), heldFrom };
};
