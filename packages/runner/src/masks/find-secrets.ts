/** Where secrets are in a text, in any of the readings, and from where on one may have begun whose rest has not arrived yet. */
import type { Automaton } from './automaton';
import { joinDump } from './hexadecimal-dumps';
import { hexadecimal, nestedReadings, type PatternKind, type Reading, readings } from './readings';
import { terminalEscapes } from './terminal-escapes';
import { alignToView, decodeView, endOf, startOf, type View, viewOfText } from './views';

/** By what they look for. */
export type Automata = ReadonlyMap<PatternKind, Automaton>;

export type ByteRange = readonly [from: number, to: number];

export interface FoundSecrets {
  /** From and to, in bytes; in order and apart from each other. */
  readonly ranges: readonly ByteRange[];
  /** The text from here on can change its meaning with what follows. */
  readonly heldFrom: number;
}

const newline = 0x0a;

interface Scan {
  readonly view: View;
  readonly automaton: Automaton;
  readonly ranges: ByteRange[];
  /** Nothing follows. */
  readonly isLast: boolean;
}

/** By reading: a byte of the text times 256 and the next one, 1 where something can begin with them. */
const pairsOfAutomata = new WeakMap<Automaton, Map<Reading, Uint8Array>>();

const makePairs = ({ triggers = [], table, gap }: Reading, { begins, beginsWithPair }: Automaton): Uint8Array => {
  const pairs = new Uint8Array(65_536);
  for (let first = 0; first < 256; first += 1) {
    const read = table[first] as number;
    const isTrigger = triggers.includes(first);
    if (!isTrigger && begins[read] === 0) continue;
    for (let second = 0; second < 256; second += 1) {
      const following = table[second] as number;
      const isPair =
        beginsWithPair[read * 256 + following] === 1 || gap?.(Uint8Array.of(first, second), 1, 1) !== undefined;
      if (isTrigger || isPair || triggers.includes(second)) pairs[first * 256 + second] = 1;
    }
  }
  return pairs;
};

const relevantPairs = (reading: Reading, automaton: Automaton): Uint8Array => {
  const known = pairsOfAutomata.get(automaton) ?? new Map<Reading, Uint8Array>();
  pairsOfAutomata.set(automaton, known);
  const pairs = known.get(reading) ?? makePairs(reading, automaton);
  known.set(reading, pairs);
  return pairs;
};

/** Answers from where on the text is held. */
const scan = (reading: Reading, { view, automaton, ranges, isLast }: Scan): number => {
  const { bytes } = view;
  const { table, token, gap } = reading;
  const { next, depth, matched } = automaton;
  const relevant = relevantPairs(reading, automaton);
  /** Where each byte that the reading gives begins, since something has begun. */
  const starts: number[] = [];
  let state = 0;
  let at = 0;
  /** The next place where something can begin. */
  const skip = (from: number): number => {
    const last = bytes.length - 1;
    for (let place = from; place < last; place += 1)
      if (relevant[(bytes[place] as number) * 256 + (bytes[place + 1] as number)] === 1) return place;
    // The last byte may begin anything.
    return Math.max(from, last);
  };
  const feed = (byte: number, length: number): void => {
    state = next(state, byte);
    if (state === 0) {
      starts.length = 0;
      return;
    }
    starts.push(at);
    const size = matched[state] as number;
    if (size > 0) ranges.push([startOf(view, starts[starts.length - size] as number), endOf(view, at + length - 1)]);
  };
  for (;;) {
    if (state === 0) at = skip(at);
    if (at >= bytes.length) break;
    const piece = token?.(bytes, at);
    if (piece === 'incomplete' && !isLast) break;
    if (typeof piece === 'object') {
      for (const byte of piece.bytes) feed(byte, piece.length);
      at += piece.length;
      continue;
    }
    const skipped = state === 0 ? undefined : gap?.(bytes, at, depth[state] as number);
    if (skipped === 'incomplete' && !isLast) break;
    if (typeof skipped === 'number') {
      at += skipped;
      continue;
    }
    feed(table[bytes[at] as number] as number, 1);
    at += 1;
  }
  const begun = depth[state] as number;
  return startOf(view, isLast ? bytes.length : begun > 0 ? (starts[starts.length - begun] as number) : at);
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

/** The text as it is, and as a terminal shows it: a sequence may also hide a part of what is a secret without it. */
const viewsOf = (bytes: Buffer, isLast: boolean): readonly View[] => {
  const text = viewOfText(bytes);
  const displayed = decodeView(text, terminalEscapes, isLast);
  return displayed === undefined ? [text] : [text, displayed];
};

interface Search {
  readonly view: View;
  readonly automata: readonly Automata[];
  readonly ranges: ByteRange[];
  readonly isLast: boolean;
}

/** Answers from where on the text is held. */
const search = (reading: Reading, { view, automata, ranges, isLast }: Search): number => {
  let heldFrom = view.end;
  if (reading.needs?.some((text) => view.bytes.includes(text)) === false) return heldFrom;
  for (const each of automata) {
    const automaton = each.get(reading.kind);
    if (automaton !== undefined) heldFrom = Math.min(heldFrom, scan(reading, { view, automaton, ranges, isLast }));
  }
  return heldFrom;
};

/** Hidden is the rest of the line too, as it has the same bytes as characters. A line is held as a whole, as its offset is a part of it. */
const searchDump = (bytes: Buffer, view: View, { automata, ranges, isLast }: Omit<Search, 'view'>): number => {
  const inDump: ByteRange[] = [];
  const heldFrom = search(hexadecimal, { view, automata, ranges: inDump, isLast });
  for (const [from, to] of inDump) {
    const lineEnd = bytes.indexOf(newline, to);
    ranges.push([from, lineEnd < 0 ? bytes.length : lineEnd]);
  }
  return heldFrom >= bytes.length ? heldFrom : bytes.lastIndexOf(newline, heldFrom - 1) + 1;
};

export const findSecrets = (bytes: Buffer, automata: readonly Automata[], isLast: boolean): FoundSecrets => {
  const ranges: ByteRange[] = [];
  const aligned: View[] = [];
  let heldFrom = bytes.length;
  const hold = (from: number): void => {
    heldFrom = Math.min(heldFrom, from);
  };
  for (const view of viewsOf(bytes, isLast)) {
    aligned.push(view);
    for (const reading of readings) hold(search(reading, { view, automata, ranges, isLast }));
    const dump = joinDump(view, isLast);
    if (dump !== undefined) hold(searchDump(bytes, dump, { automata, ranges, isLast }));
    for (const { outer, inner } of nestedReadings) {
      const decoded = decodeView(view, outer, isLast);
      if (decoded === undefined) continue;
      aligned.push(decoded);
      for (const reading of inner) hold(search(reading, { view: decoded, automata, ranges, isLast }));
    }
  }
  // Aligning to one view can leave another's: each step goes back, and few are needed.
  for (let before = -1; !isLast && before !== heldFrom; ) {
    before = heldFrom;
    for (const view of aligned) heldFrom = alignToView(view, heldFrom);
  }
  return { ranges: mergeRanges(ranges), heldFrom };
};
