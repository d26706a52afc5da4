/**
 * Features of a GeoJSON FeatureCollection (RFC 7946), one by one: a collection may be larger than memory. Each is cut out by its brackets and
 * parsed alone, so that a faulty one does not stop the next. Two without a comma between them are two.
 */
import { isLeft } from 'fp-ts/Either';
import { parseJson } from '../../../../infra/server/http/untrusted-json';
import { isWgs84, projected } from './coordinate-reference';
import { createRecordBuffer, type FileChunks, type FileRecord, tooLong, UnreadableFile } from './file-record';

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const backslash = 0x5c;
const isOpener = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isCloser = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** `features` is shorter. */
const maxKeyBytes = 32;
/** Of the members of a collection, and of the items in `features`. */
const memberDepth = 1;
const itemDepth = 2;

/** `item-start`: an item that no comma parts from the one before. */
type Found = 'item-byte' | 'item-start' | 'item-end' | 'space-between' | undefined;

const otherTypes = new Set([
  ...['Feature', 'GeometryCollection', 'Topology', 'Point', 'MultiPoint'],
  ...['LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'],
]);

const requireCollection = (type: string): void => {
  if (type === 'FeatureCollection') return;
  const other = otherTypes.has(type) ? `: it is a ${type}` : '';
  throw new UnreadableFile(`The file is not a GeoJSON FeatureCollection${other}.`);
};

const maxReferenceBytes = 4_096;

const requireDegrees = (bytes: readonly number[]): void => {
  const parsed = parseJson(Buffer.from(bytes));
  if (isLeft(parsed) || !isWgs84(parsed.right)) throw new UnreadableFile(projected);
};

/** Follows texts and brackets, and returns for each byte whether it is of an item of `features`. */
const createScanner = () => {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let text: number[] = [];
  let member = '';
  let isInValue = false;
  let reference: number[] | undefined;
  let hasClosedItem = false;
  let isInFeatures = false;
  let hasFeatures = false;
  let hasEnded = false;

  const readText = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) {
      isInText = false;
      const read = Buffer.from(text).toString('latin1');
      if (depth === memberDepth && !isInValue) member = read;
      else if (depth === memberDepth && member === 'type') requireCollection(read);
    }
    if (isInText && text.length < maxKeyBytes) text.push(byte);
  };
  /** A member's value ends. */
  const finishValue = (): void => {
    isInValue = false;
    if (reference !== undefined) requireDegrees(reference);
    reference = undefined;
  };
  const open = (byte: number): Found => {
    if (isInFeatures && depth === itemDepth && hasClosedItem) {
      hasClosedItem = false;
      depth += 1;
      return 'item-start';
    }
    if (depth === memberDepth && isInValue && byte === 0x5b && member === 'features') {
      isInFeatures = true;
      hasFeatures = true;
      depth += 1;
      return undefined;
    }
    depth += 1;
    return isInFeatures ? 'item-byte' : undefined;
  };
  const close = (): Found => {
    depth -= 1;
    if (depth === 0) {
      hasEnded = true;
      finishValue();
    }
    if (!isInFeatures) return undefined;
    hasClosedItem ||= depth === itemDepth;
    if (depth >= itemDepth) return 'item-byte';
    isInFeatures = false;
    hasClosedItem = false;
    return 'item-end';
  };
  /** Commas and colons between members and between items. */
  const readBetween = (byte: number): Found => {
    if (depth === memberDepth && byte === comma) finishValue();
    if (depth === memberDepth && byte === colon) {
      isInValue = true;
      if (member === 'crs') reference = [];
    }
    if (byte !== comma || !isInFeatures || depth !== itemDepth) return isInFeatures ? 'item-byte' : undefined;
    hasClosedItem = false;
    return 'item-end';
  };
  const readByte = (byte: number): Found => {
    if (isInText) {
      readText(byte);
      return isInFeatures ? 'item-byte' : undefined;
    }
    if (isSpace(byte) && isInFeatures) return depth > itemDepth ? 'item-byte' : 'space-between';
    if (isSpace(byte)) return undefined;
    if (hasEnded || (depth === 0 && byte !== 0x7b))
      throw new UnreadableFile('The file is not a GeoJSON FeatureCollection.');
    if (byte === quote) {
      isInText = true;
      text = [];
    } else if (isOpener(byte)) return open(byte);
    else if (isCloser(byte)) return close();
    else return readBetween(byte);
    return isInFeatures ? 'item-byte' : undefined;
  };
  const read = (byte: number): Found => {
    const found = readByte(byte);
    // After its colon, up to the comma or bracket that ends it.
    if (reference !== undefined && (byte !== colon || reference.length > 0)) reference.push(byte);
    if (reference !== undefined && reference.length > maxReferenceBytes) throw new UnreadableFile(projected);
    return found;
  };
  const finish = (count: number): void => {
    if (!hasEnded)
      throw new UnreadableFile(`The file ends too early, after feature ${count}: a bracket or quote is not closed.`);
    if (!hasFeatures)
      throw new UnreadableFile('The file is not a GeoJSON FeatureCollection: it has no list of features.');
  };
  return { read, finish };
};

const withoutSpaceAfter = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1] as number)) end -= 1;
  return bytes.subarray(0, end);
};

export async function* splitFeatures(chunks: FileChunks): AsyncGenerator<FileRecord> {
  const scanner = createScanner();
  const buffer = createRecordBuffer();
  let count = 0;

  const finishItem = (): readonly FileRecord[] => {
    if (buffer.isEmpty()) return [];
    count += 1;
    const bytes = buffer.take();
    return [bytes === undefined ? { line: count, fault: tooLong } : { line: count, bytes: withoutSpaceAfter(bytes) }];
  };

  function* scan(chunk: Buffer): Generator<FileRecord> {
    let from = -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const found = scanner.read(chunk[at] as number);
      // Space before an item is not of it; space after it is cut off once its end is known.
      if (from < 0 && (found === 'item-byte' || (found === 'space-between' && !buffer.isEmpty()))) from = at;
      if (found !== 'item-end' && found !== 'item-start') continue;
      if (from >= 0) buffer.add(chunk.subarray(from, at));
      from = found === 'item-start' ? at : -1;
      yield* finishItem();
    }
    if (from >= 0) buffer.add(Buffer.from(chunk.subarray(from)));
  }

  for await (const chunk of chunks) yield* scan(chunk);
  scanner.finish(count);
}
