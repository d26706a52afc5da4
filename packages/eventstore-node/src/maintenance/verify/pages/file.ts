/**
 * The database's file, read as bytes: LMDB trusts its pages, so they are looked at before it is asked to follow them.
 *
 * Page: 0 number  8 transaction  16 pad  18 flags  20 lower  22 upper (or, of an overflow page, 20 how many follow it)
 * Table: 0 pad  4 flags  6 depth  8 branch pages  16 leaf pages  24 overflow pages  32 entries  40 root
 * Meta page, after the header: 0 magic  4 version  8 address  16 map size  24 free pages' table  72 main table
 * 120 last page  128 transaction
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Damage } from '../damage';

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

/** Page numbers and counts beyond what a number holds are wrong anyhow. */
export const wide = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

export const treeIn = (bytes: Buffer, at: number): Tree => ({
  depth: bytes.readUInt16LE(at + 6),
  branches: wide(bytes, at + 8),
  leaves: wide(bytes, at + 16),
  overflows: wide(bytes, at + 24),
  entries: wide(bytes, at + 32),
  root: wide(bytes, at + 40),
});

export const pageDamage = (page: number, what: string): Damage => new Damage({ table: 'pages', page }, what);

const magic = 0xbeefc0de;
const metaAt = headerBytes;

const metaOf = (page: number, bytes: Buffer): Meta => {
  if (bytes.readUInt32LE(metaAt) !== magic) throw pageDamage(page, 'it is no meta page');
  const transaction = wide(bytes, metaAt + 128);
  if (transaction % 2 !== page) throw pageDamage(page, `transaction ${transaction} would not have been written there`);
  return {
    transaction,
    lastPage: wide(bytes, metaAt + 120),
    pageBytes: bytes.readUInt32LE(metaAt + 24),
    free: treeIn(bytes, metaAt + 24),
    main: treeIn(bytes, metaAt + 72),
  };
};

/** Transactions take turns with the two: anything but neighbours would serve a state that is past. */
const newestOf = (first: Meta, second: Meta): Meta => {
  if (Math.abs(first.transaction - second.transaction) !== 1)
    throw pageDamage(0, `the meta pages are of transactions ${first.transaction} and ${second.transaction}`);
  return first.transaction > second.transaction ? first : second;
};

export interface File {
  readonly meta: Meta;
  readonly pages: number;
  readonly read: (page: number) => Buffer;
  /** A value that begins on that page. */
  readonly readLong: (page: number, length: number) => Buffer;
  readonly close: () => void;
}

const smallestPage = 256;

const newestIn = (file: number): Meta => {
  const bytes = Buffer.alloc(2 * 65_536);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  const first = metaOf(0, bytes);
  if (first.pageBytes < smallestPage || 2 * first.pageBytes > length)
    throw pageDamage(0, `pages of ${first.pageBytes} bytes cannot be`);
  const meta = newestOf(first, metaOf(1, bytes.subarray(first.pageBytes)));
  if (meta.pageBytes !== first.pageBytes) throw pageDamage(1, 'the meta pages differ in the size of pages');
  return meta;
};

const looks = 5;

/** A node that commits meanwhile may show one of them before and the other after it. */
const metaIn = (file: number): Meta => {
  for (let look = 1; look < looks; look += 1) {
    try {
      return newestIn(file);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
    }
  }
  return newestIn(file);
};

/** The newest state at this moment; whoever opens it holds a snapshot, so that no page of it is used again meanwhile. */
export const openFile = (path: string): File => {
  const file = openSync(path, 'r');
  try {
    const meta = metaIn(file);
    const { pageBytes } = meta;
    const readFrom = (page: number, offset: number, length: number): Buffer => {
      const bytes = Buffer.allocUnsafe(length);
      if (readSync(file, bytes, 0, length, page * pageBytes + offset) !== length)
        throw pageDamage(page, 'the file ends before it does');
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
