/** State of scavenges in the database. */
import type { Tables } from './lmdb-tables';
import { decodeChecksummed, encodeChecksummed, hasValidChecksum } from './records/checksummed-json';

export type ScavengeTable = Pick<Tables['marks'], 'get'>;

/** Totals of all removed events. */
export interface RemovedEvents {
  /** Highest position of a removed record. */
  readonly position: number;
  readonly events: number;
  /** Bytes of the removed records; the gaps in the log add up to this. */
  readonly bytes: number;
}

const removedKey = Buffer.from('removed');
const nothingRemoved: RemovedEvents = { position: 0, events: 0, bytes: 0 };

export const readRemovedEvents = ({ marks }: { readonly marks: ScavengeTable | undefined }): RemovedEvents => {
  const stored = marks?.get(removedKey);
  return stored === undefined ? nothingRemoved : (decodeChecksummed(stored) as RemovedEvents);
};

/** Whether the stored totals have a valid checksum. */
export const hasValidRemovedEvents = ({ marks }: { readonly marks: ScavengeTable | undefined }): boolean => {
  const stored = marks?.get(removedKey);
  return stored === undefined || hasValidChecksum(stored);
};

/** Inside a transaction. */
export const addRemovedEvents = (tables: Tables, { position, events, bytes }: RemovedEvents): void => {
  const before = readRemovedEvents(tables);
  const sum: RemovedEvents = {
    position: Math.max(before.position, position),
    events: before.events + events,
    bytes: before.bytes + bytes,
  };
  tables.marks.putSync(removedKey, encodeChecksummed(sum));
};

/** A scavenge in progress; found at a start if the node ended during it. */
export interface UnfinishedScavenge {
  readonly scavengeId: string;
  readonly nodeEndpoint: string;
  /** Milliseconds since 1970. */
  readonly started: number;
}

const unfinishedKey = Buffer.from('unfinished');

export const readUnfinishedScavenge = ({ marks }: Tables): UnfinishedScavenge | undefined => {
  const stored = marks.get(unfinishedKey);
  return stored === undefined ? undefined : (JSON.parse(stored.toString('utf8')) as UnfinishedScavenge);
};

/** Inside a transaction; undefined clears it. */
export const writeUnfinishedScavenge = ({ marks }: Tables, unfinished: UnfinishedScavenge | undefined): void => {
  if (unfinished === undefined) marks.removeSync(unfinishedKey);
  else marks.putSync(unfinishedKey, Buffer.from(JSON.stringify(unfinished)));
};
