/** Opens a ZIP file of others: its entries are checked before any is unpacked, and again while it is. */
import { crc32 } from 'node:zlib';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { fail, type ReadableFile, type ReadLimits } from '../reader';

export interface Archive {
  /** Sizes of the entries, unpacked, by name. Without directories. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The bytes of an entry. Of an entry that does not exist, a failure. */
  readonly stream: (name: string) => AsyncGenerator<Buffer, Either<ReadFailure, undefined>>;
  /** A whole entry; one of more than `maxBytes` is a failure. */
  readonly bytes: (name: string, maxBytes: number) => Promise<Either<ReadFailure, Buffer>>;
  readonly close: () => void;
}

/** Office documents reach about 60; deflate ends at 1032. */
const maxRatio = 200;
/** Of unpacked bytes. Below it, the ratio of a small archive says nothing. */
const ratioMatters = 10_000_000;
const localHeaderBytes = 30;
const stored = 0;
const deflated = 8;

const damaged = fail(
  'CORRUPT',
  'The file is damaged: its archive cannot be unpacked. Save it again and upload it once more.',
);
const bomb = (detail: string): Either<ReadFailure, never> => fail('ARCHIVE_BOMB', detail);

const refuseEntry = (entry: Entry): Either<ReadFailure, never> | undefined => {
  if (entry.isEncrypted())
    return fail('ENCRYPTED', 'The file is protected by a password. Remove it and upload the file again.');
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated)
    return fail('CORRUPT', 'The file is packed by a method that Office documents do not use. Save it again.');
  if (entry.fileName.includes('\0')) return damaged;
  return undefined;
};

/** Entries that share bytes make gigabytes of kilobytes without a high ratio of any of them. */
const hasOverlaps = (entries: readonly Entry[]): boolean => {
  const sorted = [...entries].sort((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader);
  return sorted.some((entry, index) => {
    const next = sorted[index + 1];
    const end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameLength + entry.compressedSize;
    return next !== undefined && end > next.relativeOffsetOfLocalHeader;
  });
};

const listEntries = async (
  zip: ZipFile,
  limits: ReadLimits,
): Promise<Either<ReadFailure, ReadonlyMap<string, Entry>>> => {
  const entries = new Map<string, Entry>();
  const listed: Entry[] = [];
  let unpacked = 0;
  let packed = 0;
  for await (const entry of zip.eachEntry()) {
    listed.push(entry);
    if (listed.length > limits.entries) return bomb(`The file is an archive of more than ${limits.entries} entries.`);
    const refused = refuseEntry(entry);
    if (refused !== undefined) return refused;
    unpacked += entry.uncompressedSize;
    packed += entry.compressedSize;
    if (unpacked > limits.unpackedBytes)
      return bomb(`The file unpacks to more than ${limits.unpackedBytes} bytes, which is more than this system reads.`);
    if (entry.fileName.endsWith('/')) continue;
    // Programs differ in which one of the two they show.
    if (entries.has(entry.fileName)) return fail('CORRUPT', 'The file is an archive that has two entries of one name.');
    entries.set(entry.fileName, entry);
  }
  if (unpacked > ratioMatters && unpacked > maxRatio * packed)
    return bomb(`The file unpacks to more than ${maxRatio} times its size, as an attack would.`);
  if (hasOverlaps(listed)) return bomb('The file is an archive whose entries share their bytes, as an attack would.');
  return right(entries);
};

async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, Either<ReadFailure, undefined>> {
  let checksum = 0;
  try {
    // Ends with an error when the entry has more or fewer bytes than it declares.
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      checksum = crc32(chunk as Buffer, checksum);
      yield chunk as Buffer;
    }
  } catch {
    return damaged;
  }
  return checksum === entry.crc32 ? right(undefined) : damaged;
}

/** Refuses archives with too many entries, too much content, names that lead out of them, passwords, overlaps. Callers close what is opened. */
export const openArchive = async (file: ReadableFile, limits: ReadLimits): Promise<Either<ReadFailure, Archive>> => {
  let zip: ZipFile;
  let entries: Either<ReadFailure, ReadonlyMap<string, Entry>>;
  try {
    zip = await openPromise(file.path, { autoClose: false });
  } catch {
    return damaged;
  }
  try {
    // yauzl refuses absolute names and those with `..`.
    entries = await listEntries(zip, limits);
  } catch {
    entries = damaged;
  }
  if (isLeft(entries)) {
    zip.close();
    return entries;
  }
  const found = entries.right;
  async function* stream(name: string): AsyncGenerator<Buffer, Either<ReadFailure, undefined>> {
    const entry = found.get(name);
    return entry === undefined ? damaged : yield* unpack(zip, entry);
  }
  return right({
    sizes: new Map([...found].map(([name, entry]) => [name, entry.uncompressedSize])),
    stream,
    bytes: async (name, maxBytes) => {
      if ((found.get(name)?.uncompressedSize ?? 0) > maxBytes)
        return fail('TOO_LARGE', `A part of the file unpacks to more than ${maxBytes} bytes.`);
      const chunks: Buffer[] = [];
      const reading = stream(name);
      let step = await reading.next();
      for (; step.done !== true; step = await reading.next()) chunks.push(step.value);
      return isLeft(step.value) ? left(step.value.left) : right(Buffer.concat(chunks));
    },
    close: () => zip.close(),
  });
};
