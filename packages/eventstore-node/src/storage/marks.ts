/** What scavenges leave behind in the database, besides what they did not remove. */
import type { Tables } from './database';
import { isSealed, seal, unseal } from './sealed';

export type Marks = Pick<Tables['marks'], 'get'>;

/** All that was ever removed. */
export interface Removed {
  /** The highest position of a removed record. */
  readonly position: number;
  readonly events: number;
  /** Of their records: the log's gaps add up to this. */
  readonly bytes: number;
}

const removedKey = Buffer.from('removed');
const nothing: Removed = { position: 0, events: 0, bytes: 0 };

export const removedIn = ({ marks }: { readonly marks: Marks | undefined }): Removed => {
  const stored = marks?.get(removedKey);
  return stored === undefined ? nothing : (unseal(stored) as Removed);
};

/** Whether that is what was written. */
export const isRemovedSealed = ({ marks }: { readonly marks: Marks | undefined }): boolean => {
  const stored = marks?.get(removedKey);
  return stored === undefined || isSealed(stored);
};

/** Inside a transaction. */
export const addRemoved = (tables: Tables, { position, events, bytes }: Removed): void => {
  const before = removedIn(tables);
  const sum: Removed = {
    position: Math.max(before.position, position),
    events: before.events + events,
    bytes: before.bytes + bytes,
  };
  tables.marks.putSync(removedKey, seal(sum));
};

/** A scavenge that has begun; still there at a start when the node was ended under it. */
export interface Unfinished {
  readonly scavengeId: string;
  readonly nodeEndpoint: string;
  /** Milliseconds since 1970. */
  readonly started: number;
}

const unfinishedKey = Buffer.from('unfinished');

export const unfinishedIn = ({ marks }: Tables): Unfinished | undefined => {
  const stored = marks.get(unfinishedKey);
  return stored === undefined ? undefined : (JSON.parse(stored.toString('utf8')) as Unfinished);
};

/** Inside a transaction; undefined when it is over. */
export const setUnfinished = ({ marks }: Tables, unfinished: Unfinished | undefined): void => {
  if (unfinished === undefined) marks.removeSync(unfinishedKey);
  else marks.putSync(unfinishedKey, Buffer.from(JSON.stringify(unfinished)));
};
