/** The LMDB environment: what is kept where. Keys are big-endian so that their byte order is their order. */
import { mkdirSync } from 'node:fs';
import { type Database, open, type RootDatabase } from 'lmdb';

type Table = Database<Buffer, Buffer>;

export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** position -> record */
  readonly log: Table;
  /** stream number, revision -> position */
  readonly events: Table;
  /** name of a stream -> what rarely changes of its head (JSON) */
  readonly streams: Table;
}

export const openTables = (directory: string): Tables => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  // overlappingSync off: a commit's promise resolves after its data and its meta page are on disk. eventTurnBatching off:
  // with it lmdb keeps a promise of its own per commit, which nobody can catch when the disk refuses.
  const root = open<Buffer, Buffer>({
    path: `${directory}/events.mdb`,
    ...binary,
    overlappingSync: false,
    eventTurnBatching: false,
    maxDbs: 8,
  });
  const table = (name: string): Table => root.openDB<Buffer, Buffer>({ name, ...binary });
  return {
    root,
    log: table('log'),
    events: table('events'),
    streams: table('streams'),
  };
};

const unsigned = (value: number): bigint => (Number.isFinite(value) ? BigInt(value) : 0xffffffffffffffffn);

export const positionKey = (position: number): Buffer => {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(unsigned(position));
  return key;
};
export const numberOf = (key: Buffer, offset = 0): number => Number(key.readBigUInt64BE(offset));

/** An infinite revision sorts after every other: the tombstone's. */
export const eventKey = (streamNumber: number, revision: number): Buffer => {
  const key = Buffer.allocUnsafe(16);
  key.writeBigUInt64BE(BigInt(streamNumber));
  key.writeBigUInt64BE(unsigned(revision), 8);
  return key;
};
