/**
 * Features of a GeoJSON FeatureCollection (RFC 7946), one by one: a collection may be larger than memory. Each is cut out by its brackets and
 * parsed alone, so that a faulty one does not stop the next.
 */
import { type FileChunks, type FileRecord, maxRecordBytes, tooLong, UnreadableFile } from './file-record';

const quote = 0x22;
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

type Found = 'item-byte' | 'item-end' | 'space-between' | undefined;

/** Follows texts and brackets, and says of each byte whether it is of an item of `features`. */
const createScanner = () => {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let text: number[] = [];
  let member = '';
  let isInFeatures = false;
  let hasFeatures = false;
  let hasEnded = false;

  const readText = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) {
      isInText = false;
      if (depth === memberDepth) member = Buffer.from(text).toString('latin1');
    }
    if (isInText && text.length < maxKeyBytes) text.push(byte);
  };
  const open = (byte: number): Found => {
    if (depth === memberDepth && byte === 0x5b && member === 'features') {
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
    hasEnded ||= depth === 0;
    if (!isInFeatures) return undefined;
    if (depth >= itemDepth) return 'item-byte';
    isInFeatures = false;
    return 'item-end';
  };
  const read = (byte: number): Found => {
    if (isInText) {
      readText(byte);
      return isInFeatures ? 'item-byte' : undefined;
    }
    if (isSpace(byte) && isInFeatures) return depth > itemDepth ? 'item-byte' : 'space-between';
    if (isSpace(byte)) return undefined;
    if (hasEnded || (depth === 0 && byte !== 0x7b))
      throw new UnreadableFile('The file is no GeoJSON FeatureCollection.');
    if (byte === quote) {
      isInText = true;
      text = [];
    } else if (isOpener(byte)) return open(byte);
    else if (isCloser(byte)) return close();
    else if (byte === comma && isInFeatures && depth === itemDepth) return 'item-end';
    return isInFeatures ? 'item-byte' : undefined;
  };
  const finish = (count: number): void => {
    if (!hasEnded)
      throw new UnreadableFile(`The file ends too early, after feature ${count}: a bracket or quote is not closed.`);
    if (!hasFeatures) throw new UnreadableFile('The file is no GeoJSON FeatureCollection: it has no list of features.');
  };
  return { read, finish };
};

const withoutSpaceAfter = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1] as number)) end -= 1;
  return bytes.subarray(0, end);
};

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export async function* splitFeatures(chunks: FileChunks): AsyncGenerator<FileRecord> {
  const scanner = createScanner();
  let parts: Buffer[] = [];
  let size = 0;
  let count = 0;
  let isAtStart = true;

  const take = (bytes: Buffer): void => {
    size += bytes.length;
    if (size <= maxRecordBytes) parts.push(bytes);
    else parts = [];
  };
  const finishItem = (): readonly FileRecord[] => {
    if (size === 0) return [];
    count += 1;
    const record: FileRecord =
      size > maxRecordBytes
        ? { line: count, fault: tooLong }
        : { line: count, bytes: withoutSpaceAfter(Buffer.concat(parts)) };
    [parts, size] = [[], 0];
    return [record];
  };

  function* scan(chunk: Buffer): Generator<FileRecord> {
    let from = -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const found = scanner.read(chunk[at] as number);
      // Space before an item is not of it; space after it is cut off once its end is known.
      if (from < 0 && (found === 'item-byte' || (found === 'space-between' && size > 0))) from = at;
      if (found === 'item-end') {
        if (from >= 0) take(chunk.subarray(from, at));
        from = -1;
        yield* finishItem();
      }
    }
    if (from >= 0) take(Buffer.from(chunk.subarray(from)));
  }

  for await (const chunk of chunks) {
    const isMarked = isAtStart && chunk.subarray(0, 3).equals(byteOrderMark);
    yield* scan(isMarked ? chunk.subarray(3) : chunk);
    isAtStart = false;
  }
  scanner.finish(count);
}
