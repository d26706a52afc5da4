/** Checks one page of a tree: its nodes are within its bounds and in order. */
import { headerBytes, pageCorruption, readUint64 } from './lmdb-file';

const branchFlag = 0x01;
const leafFlag = 0x02;
const overflowFlag = 0x04;
const nodeHeader = 8;

export interface LmdbPage {
  readonly number: number;
  readonly bytes: Buffer;
  readonly isLeaf: boolean;
  /** The offsets of the nodes. */
  readonly nodes: readonly number[];
}

export const keyBytes = ({ bytes }: LmdbPage, node: number): Buffer =>
  bytes.subarray(node + nodeHeader, node + nodeHeader + bytes.readUInt16LE(node + 6));

/** The page number of a branch's child. */
export const childOf = ({ bytes }: LmdbPage, node: number): number =>
  bytes.readUInt32LE(node) + bytes.readUInt16LE(node + 4) * 2 ** 32;

export const valueLength = ({ bytes }: LmdbPage, node: number): number => bytes.readUInt32LE(node);
export const flagsOf = ({ bytes }: LmdbPage, node: number): number => bytes.readUInt16LE(node + 4);
export const valueAt = ({ bytes }: LmdbPage, node: number): number => node + nodeHeader + bytes.readUInt16LE(node + 6);

export const isOverflow = 0x01;
export const isTable = 0x02;
/** What a leaf stores for a value on overflow pages. */
const referenceBytes = 24;

const storedLength = (page: LmdbPage, node: number): number => {
  if (!page.isLeaf) return 0;
  return (flagsOf(page, node) & isOverflow) === 0 ? valueLength(page, node) : referenceBytes;
};

const checkHeader = (number: number, bytes: Buffer, transaction: number): void => {
  if (readUint64(bytes, 0) !== number) throw pageCorruption(number, `it says it is page ${readUint64(bytes, 0)}`);
  if (readUint64(bytes, 8) > transaction) throw pageCorruption(number, 'it is of a transaction that is not there');
};

const checkNodes = (page: LmdbPage, upper: number): void => {
  for (const node of page.nodes) {
    const room = page.bytes.length - node;
    if (node < upper || room < nodeHeader || valueAt(page, node) - node + storedLength(page, node) > room)
      throw pageCorruption(page.number, 'a node is outside of it');
  }
};

export const parsePage = (number: number, bytes: Buffer, transaction: number): LmdbPage => {
  checkHeader(number, bytes, transaction);
  const flags = bytes.readUInt16LE(18);
  if (flags !== branchFlag && flags !== leafFlag) throw pageCorruption(number, `its flags are ${flags}`);
  const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)];
  if (lower % 2 !== 0 || lower === 0 || lower > upper || upper > bytes.length - headerBytes)
    throw pageCorruption(number, 'its bounds are wrong');
  const nodes = Array.from(
    { length: lower / 2 },
    (_, index) => bytes.readUInt16LE(headerBytes + 2 * index) + headerBytes,
  );
  const page = { number, bytes, isLeaf: flags === leafFlag, nodes };
  checkNodes(page, upper + headerBytes);
  return page;
};

/** The first overflow page of a long value, and their number. */
export const checkOverflow = (number: number, bytes: Buffer, transaction: number, count: number): void => {
  checkHeader(number, bytes, transaction);
  if (bytes.readUInt16LE(18) !== overflowFlag) throw pageCorruption(number, 'it is not a page of a long value');
  if (bytes.readUInt32LE(20) !== count)
    throw pageCorruption(number, `it is the first of ${bytes.readUInt32LE(20)} pages, of which ${count} are needed`);
};
