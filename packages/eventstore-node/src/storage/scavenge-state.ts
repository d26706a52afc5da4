/** What scavenges leave behind in the database, besides what they did not remove. */
import type { Tables } from './lmdb-tables';
import { decodeChecksummed, encodeChecksummed, hasValidChecksum } from './records/checksummed-json';

export type ScavengeTable = Pick<Tables['marks'], 'get'>;

/** All that was ever removed. */
export interface RemovedEvents {
  /** The highest position of a removed record. */
  readonly position: number;
  readonly events: number;
  /** Of their records: the log's gaps add up to this. */
  readonly bytes: number;
}

const removedKey = Buffer.from('removed');
const nothingRemoved: RemovedEvents = { position: 0, events: 0, bytes: 0 };

export const readRemovedEvents = ({ marks }: { readonly marks: ScavengeTable | undefined }): RemovedEvents => {
  const stored = marks?.get(removedKey);
  return stored === undefined ? nothingRemoved : (decodeChecksummed(stored) as RemovedEvents);
};

/** Whether that is what was written. */
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

/** A scavenge that has begun; still there at a start when the node was ended under it. */
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

/** Inside a transaction; undefined when it is over. */
export const writeUnfinishedScavenge = ({ marks }: Tables, unfinished: UnfinishedScavenge | undefined): void => {
  if (unfinished === undefined) marks.removeSync(unfinishedKey);
  else marks.putSync(unfinishedKey, Buffer.from(JSON.stringify(unfinished)));
};
