/** TIFF 6.0: its directories, which EXIF data has, too. */
import type { Bytes } from './bytes';
import type { Orientation, Picture } from './picture';

const widthTag = 256;
const heightTag = 257;
const orientationTag = 274;
const entryBytes = 12;
/** Of a directory; those of cameras have a hundred. */
const maxEntries = 1_000;
const shortType = 3;
const longType = 4;

type ByteOrder = 'LE' | 'BE';

const uint16 = (bytes: Buffer, at: number, order: ByteOrder): number =>
  order === 'LE' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
const uint32 = (bytes: Buffer, at: number, order: ByteOrder): number =>
  order === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);

interface Directory {
  /** Of entries that are one number. */
  readonly values: ReadonlyMap<number, number>;
  /** 0: the last one. */
  readonly next: number;
}

const headerOf = (header: Buffer): { order: ByteOrder; first: number } | undefined => {
  if (header.length < 8) return undefined;
  const mark = header.toString('latin1', 0, 2);
  const order = mark === 'II' ? 'LE' : 'BE';
  if ((mark !== 'II' && mark !== 'MM') || uint16(header, 2, order) !== 42) return undefined;
  return { order, first: uint32(header, 4, order) };
};

const readDirectory = async (bytes: Bytes, offset: number, order: ByteOrder): Promise<Directory | undefined> => {
  const head = await bytes.at(offset, 2);
  if (head.length < 2) return undefined;
  const count = uint16(head, 0, order);
  if (count > maxEntries) return undefined;
  const body = await bytes.at(offset + 2, count * entryBytes + 4);
  const values = new Map<number, number>();
  for (let at = 0; at + entryBytes <= body.length && at < count * entryBytes; at += entryBytes) {
    const type = uint16(body, at + 2, order);
    if (uint32(body, at + 4, order) !== 1) continue;
    if (type === shortType) values.set(uint16(body, at, order), uint16(body, at + 8, order));
    if (type === longType) values.set(uint16(body, at, order), uint32(body, at + 8, order));
  }
  const end = count * entryBytes;
  return { values, next: end + 4 <= body.length ? uint32(body, end, order) : 0 };
};

const isOrientation = (value: number | undefined): value is Orientation =>
  value !== undefined && Number.isInteger(value) && value >= 1 && value <= 8;

/** Of EXIF data, which begins as a TIFF file does; 1 where it has none that can be used. */
export const exifOrientation = async (exif: Buffer): Promise<Orientation> => {
  const bytes: Bytes = { at: (offset, length) => Promise.resolve(exif.subarray(offset, offset + length)) };
  const header = headerOf(exif);
  const directory = header === undefined ? undefined : await readDirectory(bytes, header.first, header.order);
  const value = directory?.values.get(orientationTag);
  return isOrientation(value) ? value : 1;
};

/** Undefined: it is damaged. Counts pages up to `maxFrames` and one. */
export const readTiff = async (bytes: Bytes, maxFrames: number): Promise<Picture | undefined> => {
  const header = headerOf(await bytes.at(0, 8));
  if (header === undefined) return undefined;
  const first = await readDirectory(bytes, header.first, header.order);
  const width = first?.values.get(widthTag);
  const height = first?.values.get(heightTag);
  if (first === undefined || width === undefined || height === undefined) return undefined;
  let frames = 1;
  const seen = new Set([header.first]);
  for (let { next } = first; next !== 0 && !seen.has(next) && frames <= maxFrames; frames += 1) {
    seen.add(next);
    next = (await readDirectory(bytes, next, header.order))?.next ?? 0;
  }
  const orientation = first.values.get(orientationTag);
  return { format: 'tiff', width, height, frames, orientation: isOrientation(orientation) ? orientation : 1 };
};
