/**
 * The database's file, read as bytes. LMDB trusts its pages, so they are checked before LMDB opens the file.
 *
 * Page: 0 number  8 transaction  16 pad  18 flags  20 lower  22 upper (or, of an overflow page, 20 how many follow it)
 * Table: 0 pad  4 flags  6 depth  8 branch pages  16 leaf pages  24 overflow pages  32 entries  40 root
 * Meta page, after the header: 0 magic  4 version  8 address  16 map size  24 free pages' table  72 main table
 * 120 last page  128 transaction
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CorruptionError } from '../corruption-error';

export const headerBytes = 24;
export const tableBytes = 48;

export interface Tree {
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly overflows: number;
  readonly entries: number;
  readonly root: number;
}

export interface Meta {
  readonly transaction: number;
  readonly lastPage: number;
  readonly pageBytes: number;
  readonly free: Tree;
  readonly main: Tree;
}

/** Page numbers and counts beyond safe integers are invalid in any case. */
export const readUint64 = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

export const parseTree = (bytes: Buffer, at: number): Tree => ({
  depth: bytes.readUInt16LE(at + 6),
  branches: readUint64(bytes, at + 8),
  leaves: readUint64(bytes, at + 16),
  overflows: readUint64(bytes, at + 24),
  entries: readUint64(bytes, at + 32),
  root: readUint64(bytes, at + 40),
});

export const pageCorruption = (page: number, what: string): CorruptionError =>
  new CorruptionError({ table: 'pages', page }, what);

const magic = 0xbeefc0de;
const metaAt = headerBytes;

const parseMeta = (page: number, bytes: Buffer): Meta => {
  if (bytes.readUInt32LE(metaAt) !== magic) throw pageCorruption(page, 'it is not a meta page');
  const transaction = readUint64(bytes, metaAt + 128);
  if (transaction % 2 !== page)
    throw pageCorruption(page, `transaction ${transaction} would not have been written there`);
  return {
    transaction,
    lastPage: readUint64(bytes, metaAt + 120),
    pageBytes: bytes.readUInt32LE(metaAt + 24),
    free: parseTree(bytes, metaAt + 24),
    main: parseTree(bytes, metaAt + 72),
  };
};

/** Transactions alternate between the two meta pages: if they are not consecutive, one of them is out of date. */
const newerOf = (first: Meta, second: Meta): Meta => {
  if (Math.abs(first.transaction - second.transaction) !== 1)
    throw pageCorruption(0, `the meta pages are of transactions ${first.transaction} and ${second.transaction}`);
  return first.transaction > second.transaction ? first : second;
};

export interface LmdbFile {
  readonly meta: Meta;
  readonly pages: number;
  readonly read: (page: number) => Buffer;
  /** Reads a value that begins on that page. */
  readonly readLong: (page: number, length: number) => Buffer;
  readonly close: () => void;
}

const minPageBytes = 256;

const readNewestMeta = (file: number): Meta => {
  const bytes = Buffer.alloc(2 * 65_536);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  const first = parseMeta(0, bytes);
  if (first.pageBytes < minPageBytes || 2 * first.pageBytes > length)
    throw pageCorruption(0, `pages of ${first.pageBytes} bytes cannot be`);
  const meta = newerOf(first, parseMeta(1, bytes.subarray(first.pageBytes)));
  if (meta.pageBytes !== first.pageBytes) throw pageCorruption(1, 'the meta pages differ in the size of pages');
  return meta;
};

const maxAttempts = 5;

/** A node that commits meanwhile may have changed one page and not yet the other. */
const readMeta = (file: number): Meta => {
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    try {
      return readNewestMeta(file);
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
    }
  }
  return readNewestMeta(file);
};

/** The current state. The caller holds a snapshot, so that none of its pages is reused meanwhile. */
export const openLmdbFile = (path: string): LmdbFile => {
  const file = openSync(path, 'r');
  try {
    const meta = readMeta(file);
    const { pageBytes } = meta;
    const readFrom = (page: number, offset: number, length: number): Buffer => {
      const bytes = Buffer.allocUnsafe(length);
      if (readSync(file, bytes, 0, length, page * pageBytes + offset) !== length)
        throw pageCorruption(page, 'the file ends before it does');
      return bytes;
    };
    return {
      meta,
      pages: Math.floor(fstatSync(file).size / pageBytes),
      read: (page) => readFrom(page, 0, pageBytes),
      readLong: (page, length) => readFrom(page, headerBytes, length),
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
};
