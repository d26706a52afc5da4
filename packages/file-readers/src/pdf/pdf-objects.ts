/**
 * Finds single objects of a PDF by its tables (ISO 32000-1, 7.5): for what poppler's programs do not report. Files that need repair, and encrypted ones, have
 * no objects here.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { ReadableFile } from '../reader';
import {
  isDictionary,
  isName,
  isReference,
  type PdfDictionary,
  type PdfValue,
  parseValue,
  skipBlanks,
} from './pdf-values';

export interface PdfObjects {
  readonly catalog: PdfDictionary;
  /** The value itself, or of a reference what it refers to; null for what cannot be found. */
  readonly resolve: (value: PdfValue | undefined) => PdfValue;
  readonly close: () => void;
}

interface StreamObject {
  readonly dictionary: PdfDictionary;
  readonly data: Buffer;
}

/** Where an object is: in the file, or the n-th of an object stream. */
type Location =
  | { readonly kind: 'offset'; readonly offset: number }
  | { readonly kind: 'packed'; readonly stream: number; readonly index: number };

/** One table of the file, the newest first. Undefined: it does not have the object. */
type Table = (object: number) => Location | undefined;

const windows = [4_096, 262_144, 4_194_304];
const maxStreamBytes = 32_000_000;
const maxTables = 200;
const maxReferences = 20;
const maxCachedStreams = 50;
const tailBytes = 2_048;
const tableEntryBytes = 20;

const numberIn = (dictionary: PdfDictionary, key: string): number | undefined => {
  const value = dictionary.get(key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

const numbersIn = (dictionary: PdfDictionary, key: string): readonly number[] => {
  const value = dictionary.get(key);
  return Array.isArray(value) ? value.filter((item): item is number => Number.isSafeInteger(item) && item >= 0) : [];
};

/** PNG's filters (RFC 2083, 6) of rows, as streams of tables have them. */
const undoPredictor = (data: Buffer, columns: number): Buffer => {
  const rows = Math.floor(data.length / (columns + 1));
  const out = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const filter = data[row * (columns + 1)] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const left = column > 0 ? (out[at - 1] ?? 0) : 0;
      const up = row > 0 ? (out[at - columns] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1][filter] ?? up;
      out[at] = (data[row * (columns + 1) + 1 + column] ?? 0) + predicted;
    }
  }
  return out;
};

const decodeStream = ({ dictionary, data }: StreamObject): Buffer | undefined => {
  const filter = dictionary.get('Filter');
  const [only] = Array.isArray(filter) ? filter : [filter];
  if (only === undefined) return data;
  if (!isName(only) || only.name !== 'FlateDecode' || (Array.isArray(filter) && filter.length !== 1)) return undefined;
  const parameters = dictionary.get('DecodeParms');
  const [first] = Array.isArray(parameters) ? parameters : [parameters];
  const predictor = isDictionary(first) ? (numberIn(first, 'Predictor') ?? 1) : 1;
  const columns = isDictionary(first) ? (numberIn(first, 'Columns') ?? 1) : 1;
  try {
    const inflated = inflateSync(data, { maxOutputLength: maxStreamBytes });
    return predictor < 10 || columns < 1 || columns > 1_000 ? inflated : undoPredictor(inflated, columns);
  } catch {
    return undefined;
  }
};

/** Of a table in a stream (7.5.8). */
const streamTable = (dictionary: PdfDictionary, data: Buffer): Table => {
  const widths = numbersIn(dictionary, 'W');
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const entryBytes = typeWidth + secondWidth + thirdWidth;
  const index = numbersIn(dictionary, 'Index');
  const ranges = index.length >= 2 ? index : [0, numberIn(dictionary, 'Size') ?? 0];
  const field = (at: number, width: number): number =>
    data.subarray(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0);
  return (object) => {
    let before = 0;
    for (let range = 0; range + 1 < ranges.length; range += 2) {
      const [start = 0, length = 0] = ranges.slice(range, range + 2);
      const at = (before + object - start) * entryBytes;
      before += length;
      if (object < start || object >= start + length || at + entryBytes > data.length) continue;
      const type = typeWidth === 0 ? 1 : field(at, typeWidth);
      const second = field(at + typeWidth, secondWidth);
      const third = field(at + typeWidth + secondWidth, thirdWidth);
      if (type === 1) return { kind: 'offset', offset: second };
      return type === 2 ? { kind: 'packed', stream: second, index: third } : undefined;
    }
    return undefined;
  };
};

/** Undefined for files whose tables are damaged. Callers close what is opened. */
export const openPdfObjects = ({ path, size }: ReadableFile): PdfObjects | undefined => {
  const descriptor = openSync(path, 'r');
  const read = (offset: number, length: number): Buffer => {
    const wanted = Math.max(0, Math.min(length, size - offset));
    const buffer = Buffer.alloc(wanted);
    return wanted === 0 ? buffer : buffer.subarray(0, readSync(descriptor, buffer, 0, wanted, offset));
  };
  const tables: Table[] = [];
  const packedObjects = new Map<number, { readonly text: string; readonly starts: readonly number[] }>();

  const dictionaryAt = (offset: number): { readonly value: PdfValue; readonly end: number } | undefined => {
    for (const length of windows) {
      const text = read(offset, length).toString('latin1');
      const header = /^\s*\d+\s+\d+\s+obj/.exec(text);
      if (header === null) return undefined;
      const parsed = parseValue(text, header[0].length);
      // A value that goes on behind the window is cut: the next window holds more of it.
      if (parsed !== undefined && parsed.end + 20 < text.length) {
        const stream = /^stream(?:\r\n|\n|\r)/.exec(text.slice(skipBlanks(text, parsed.end)).slice(0, 10));
        const end = stream === null ? -1 : skipBlanks(text, parsed.end) + stream[0].length;
        return { value: parsed.value, end: end < 0 ? -1 : offset + end };
      }
    }
    return undefined;
  };

  const streamAt = (offset: number): StreamObject | undefined => {
    const parsed = dictionaryAt(offset);
    if (parsed === undefined || parsed.end < 0 || !isDictionary(parsed.value)) return undefined;
    const length = resolve(parsed.value.get('Length'));
    if (typeof length !== 'number' || length < 0 || length > maxStreamBytes) return undefined;
    return { dictionary: parsed.value, data: read(parsed.end, length) };
  };

  const packedStream = (number: number): { readonly text: string; readonly starts: readonly number[] } | undefined => {
    const cached = packedObjects.get(number);
    if (cached !== undefined) return cached;
    const location = locate(number);
    const stream = location?.kind === 'offset' ? streamAt(location.offset) : undefined;
    const data = stream === undefined ? undefined : decodeStream(stream);
    if (stream === undefined || data === undefined) return undefined;
    const text = data.toString('latin1');
    const first = numberIn(stream.dictionary, 'First') ?? 0;
    const pairs = text.slice(0, first).trim().split(/\s+/).map(Number);
    const starts = pairs.filter((_, index) => index % 2 === 1).map((start) => first + start);
    if (packedObjects.size >= maxCachedStreams) packedObjects.clear();
    packedObjects.set(number, { text, starts });
    return { text, starts };
  };

  const locate = (object: number): Location | undefined => {
    for (const table of tables) {
      const location = table(object);
      if (location !== undefined) return location;
    }
    return undefined;
  };

  const load = (object: number): PdfValue => {
    const location = locate(object);
    if (location === undefined) return null;
    if (location.kind === 'offset') return dictionaryAt(location.offset)?.value ?? null;
    const packed = packedStream(location.stream);
    const start = packed?.starts[location.index];
    return packed === undefined || start === undefined ? null : (parseValue(packed.text, start)?.value ?? null);
  };

  const resolve = (value: PdfValue | undefined): PdfValue => {
    let current = value ?? null;
    for (let steps = 0; isReference(current) && steps < maxReferences; steps += 1) current = load(current.object);
    return isReference(current) ? null : current;
  };

  /** Of a table in text (7.5.4): entries are read when they are needed. Returns the trailer behind it. */
  const addTextTable = (offset: number): PdfDictionary | undefined => {
    let at = offset + (/^\s*xref\s+/.exec(read(offset, 100).toString('latin1'))?.[0].length ?? 0);
    for (let sections = 0; sections < 10_000; sections += 1) {
      const text = read(at, 200).toString('latin1');
      const [whole, start, length] = /^\s*(\d+)\s+(\d+)\s*?(?:\r\n|\n|\r)\s*/.exec(text) ?? [];
      if (whole === undefined) break;
      const first = Number(start);
      const count = Number(length);
      const entries = at + whole.length;
      tables.push((object) => {
        if (object < first || object >= first + count) return undefined;
        const entry = read(entries + (object - first) * tableEntryBytes, tableEntryBytes).toString('latin1');
        const [, where] = /^(\d{10}) \d{5} n/.exec(entry) ?? [];
        return where === undefined ? undefined : { kind: 'offset', offset: Number(where) };
      });
      at = entries + count * tableEntryBytes;
    }
    for (const length of windows) {
      const text = read(at, length).toString('latin1');
      const trailer = /^\s*trailer/.exec(text);
      const parsed = trailer === null ? undefined : parseValue(text, trailer[0].length);
      if (isDictionary(parsed?.value)) return parsed.value;
    }
    return undefined;
  };

  const addTable = (offset: number): PdfDictionary | undefined => {
    if (/^\s*xref/.test(read(offset, 20).toString('latin1'))) return addTextTable(offset);
    const stream = streamAt(offset);
    const data = stream === undefined ? undefined : decodeStream(stream);
    if (stream === undefined || data === undefined) return undefined;
    tables.push(streamTable(stream.dictionary, data));
    return stream.dictionary;
  };

  const readTables = (): PdfDictionary | undefined => {
    const tail = read(Math.max(0, size - tailBytes), tailBytes).toString('latin1');
    const [, start] = /startxref\s+(\d+)(?![\s\S]*startxref)/.exec(tail) ?? [];
    const seen = new Set<number>();
    let trailer: PdfDictionary | undefined;
    let next = start === undefined ? undefined : Number(start);
    while (next !== undefined && !seen.has(next) && seen.size < maxTables) {
      seen.add(next);
      const found = addTable(next);
      if (found === undefined) return undefined;
      trailer ??= found;
      // Files for old programs, too, list objects of streams in a second table.
      const hybrid = numberIn(found, 'XRefStm');
      if (hybrid !== undefined) addTable(hybrid);
      next = numberIn(found, 'Prev');
    }
    return trailer;
  };

  const trailer = readTables();
  const catalog = trailer === undefined || trailer.has('Encrypt') ? null : resolve(trailer.get('Root'));
  if (!isDictionary(catalog)) {
    closeSync(descriptor);
    return undefined;
  }
  return { catalog, resolve, close: () => closeSync(descriptor) };
};
