/** The LMDB environment and its tables. Keys are big-endian, so that byte order is numeric order. */
import { existsSync, mkdirSync } from 'node:fs';
import { type Database, open, type RootDatabase } from 'lmdb';
import {
  type EnvironmentLock,
  openWithEnvironmentLock,
  withCommitsExcluded,
} from '../../../data-directory/src/environment-lock';
import { readUint64, writeUint64 } from './records/binary-encoding';
import { createRecentRecords, type RecentRecords } from './records/recent-records';

type Table = Database<Buffer, Buffer>;

export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** position -> record */
  readonly log: Table;
  /** stream number, revision -> position */
  readonly events: Table;
  /** stream name -> the stable part of its head (JSON) */
  readonly streams: Table;
  /** removed ranges, and the running scavenge (JSON) */
  readonly marks: Table;
  readonly recentRecords: RecentRecords;
  readonly environmentLock: EnvironmentLock;
}

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
export const logFileOf = (directory: string): string => `${directory}/events.mdb`;

const openRoot = (directory: string): Tables['root'] =>
  // overlappingSync off: a commit resolves after its data and meta page are on disk. eventTurnBatching off: otherwise
  // lmdb keeps a promise per commit that cannot be caught when the disk refuses.
  open<Buffer, Buffer>({
    path: logFileOf(directory),
    ...binary,
    overlappingSync: false,
    eventTurnBatching: false,
    maxDbs: 8,
  });

/**
 * LMDB opens a file once per process: an environment that stays open after a failure would be shared with the next caller, whatever
 * the file holds by then.
 */
const closeOnFailure = <Opened>(root: Tables['root'], openTables: () => Opened): Opened => {
  try {
    return openTables();
  } catch (error) {
    void root.close();
    throw error;
  }
};

/** Commits new tables. */
const openOrCreateTables = (directory: string): Omit<Tables, 'environmentLock' | 'recentRecords'> => {
  const root = openRoot(directory);
  const table = (name: string): Table => root.openDB<Buffer, Buffer>({ name, ...binary });
  return closeOnFailure(root, () => ({
    root,
    log: table('log'),
    events: table('events'),
    streams: table('streams'),
    marks: table('marks'),
  }));
};

export const openTables = (directory: string): Tables => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const [tables, environmentLock] = openWithEnvironmentLock(logFileOf(directory), () => openOrCreateTables(directory));
  const close = tables.root.close.bind(tables.root);
  tables.root.close = () => close().finally(environmentLock.close);
  return { ...tables, recentRecords: createRecentRecords(), environmentLock };
};

/** As found: a log without any scavenge may lack the `marks` table. */
export type ReadOnlyTables = Omit<Tables, 'marks' | 'recentRecords' | 'environmentLock'> & {
  readonly marks: Table | undefined;
};

const openExistingTables = (directory: string): ReadOnlyTables | undefined => {
  const root = open<Buffer, Buffer>({ path: logFileOf(directory), ...binary, readOnly: true, maxDbs: 8 });
  const table = (name: string): Table | undefined => root.openDB<Buffer, Buffer>({ name, ...binary });
  const [log, events, streams, marks] = closeOnFailure(root, () =>
    (['log', 'events', 'streams', 'marks'] as const).map(table),
  );
  if (log !== undefined && events !== undefined && streams !== undefined) return { root, log, events, streams, marks };
  void root.close();
  return undefined;
};

/** Opens a log that another process may be serving; undefined if the directory has none. */
export const openReadOnlyTables = (directory: string): ReadOnlyTables | undefined =>
  existsSync(logFileOf(directory))
    ? withCommitsExcluded(logFileOf(directory), () => openExistingTables(directory))
    : undefined;

/** Reads from a closed environment throw. */
export const isOpen = ({ root }: Tables): boolean => (root as unknown as { readonly status: string }).status === 'open';

export const numberOf = (key: Buffer, offset = 0): number => readUint64(key, offset);

const maxKeyPart = Buffer.alloc(8, 0xff);

const writeKey = (key: Buffer, value: number, offset: number): void => {
  if (Number.isFinite(value)) writeUint64(key, value, offset);
  else key.set(maxKeyPart, offset);
};

export const positionKey = (position: number): Buffer => {
  const key = Buffer.allocUnsafe(8);
  writeKey(key, position, 0);
  return key;
};

/** An infinite revision (the tombstone's) sorts last. */
export const eventKey = (streamNumber: number, revision: number): Buffer => {
  const key = Buffer.allocUnsafe(16);
  writeUint64(key, streamNumber, 0);
  writeKey(key, revision, 8);
  return key;
};
