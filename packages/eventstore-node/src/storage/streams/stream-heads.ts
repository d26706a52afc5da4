/** Stream heads: number, last revision, tombstone, and what metadata hides. */
import { createHash } from 'node:crypto';
import { eventKey, numberOf, type Tables } from '../lmdb-tables';
import { decodeChecksummed, encodeChecksummed } from '../records/checksummed-json';
import { type Acl, type Retention, truncateAll } from './stream-metadata';

export interface StreamHead {
  readonly number: number;
  /** -1 before the first event. */
  readonly last: number;
  readonly tombstoned: boolean;
  readonly retention: Retention;
  readonly acl?: Acl | undefined;
}

export const isSoftDeleted = ({ retention }: StreamHead): boolean => retention.before === truncateAll;
export const isMissing = (head: StreamHead | undefined): boolean => head === undefined || head.last < 0;

const maxKeyBytes = 1900;
/** LMDB bounds keys: a long name is hashed, into a key that is longer than any short name. */
export const nameKey = (name: Buffer): Buffer =>
  name.length <= maxKeyBytes
    ? name
    : Buffer.concat([name.subarray(0, maxKeyBytes), createHash('sha256').update(name).digest()]);

/** The name of a key; undefined for a hashed one. */
export const nameOfKey = (key: Buffer): Buffer | undefined => (key.length <= maxKeyBytes ? key : undefined);

const cacheKeyOf = (name: Buffer): string => name.toString('latin1');

const findLastRevision = ({ events }: Tables, number: number): number => {
  const below = {
    start: eventKey(number, truncateAll),
    end: eventKey(number - 1, Number.POSITIVE_INFINITY),
    reverse: true,
    limit: 1,
  };
  for (const key of events.getKeys(below)) if (numberOf(key) === number) return numberOf(key, 8);
  return -1;
};

/** Loads a head from the tables, bypassing caches. */
export const loadHead = (tables: Tables, name: Buffer): StreamHead | undefined => {
  const stored = tables.streams.get(nameKey(name));
  if (stored === undefined) return undefined;
  const lasting = decodeChecksummed(stored) as Omit<StreamHead, 'last'>;
  return { ...lasting, last: findLastRevision(tables, lasting.number) };
};

/** Committed heads. The last revision comes from the events' index. */
export interface StreamHeads {
  readonly get: (name: Buffer) => StreamHead | undefined;
  readonly set: (name: Buffer, head: StreamHead) => void;
}

/** The cache is bounded in bytes, because clients choose names and access lists. */
const maxCachedBytes = 8 * 1024 * 1024;
/** Approximate overhead of an entry and of a role. */
const entryBytes = 256;
const roleBytes = 64;

const weightOf = (key: string, { acl }: StreamHead): number => {
  let weight = key.length + entryBytes;
  if (acl !== undefined)
    for (const roles of Object.values(acl)) for (const role of roles) weight += role.length + roleBytes;
  return weight;
};

/** Cache in two generations, which avoids removing single oldest entries. */
export const createHeadCache = (tables: Tables): StreamHeads => {
  let young = new Map<string, StreamHead>();
  let old = new Map<string, StreamHead>();
  let bytes = 0;
  const add = (key: string, head: StreamHead): void => {
    const before = young.get(key);
    bytes += weightOf(key, head) - (before === undefined ? 0 : weightOf(key, before));
    young.set(key, head);
    if (bytes <= maxCachedBytes / 2) return;
    old = young;
    young = new Map();
    bytes = 0;
  };
  return {
    get: (name) => {
      const key = cacheKeyOf(name);
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const head = old.get(key) ?? loadHead(tables, name);
      if (head !== undefined) add(key, head);
      return head;
    },
    set: (name, head) => add(cacheKeyOf(name), head),
  };
};

/** Heads in a transaction: its changes over the committed heads. */
export const createHeadOverlay = (
  tables: Tables,
  committed: StreamHeads,
): StreamHeads & { readonly publish: () => void } => {
  const changed = new Map<string, { readonly name: Buffer; readonly head: StreamHead }>();
  const get = (name: Buffer): StreamHead | undefined => changed.get(cacheKeyOf(name))?.head ?? committed.get(name);
  return {
    get,
    set: (name, head) => {
      const before = get(name);
      changed.set(cacheKeyOf(name), { name, head });
      const same = before?.retention === head.retention && before.acl === head.acl;
      if (same && before.tombstoned === head.tombstoned) return;
      const { last: _, ...lasting } = head;
      tables.streams.putSync(nameKey(name), encodeChecksummed(lasting));
    },
    publish: () => {
      for (const { name, head } of changed.values()) committed.set(name, head);
    },
  };
};

const metadataPrefix = Buffer.from('$$');
export const isMetadataStream = (name: Buffer): boolean =>
  name.length > 2 && name.subarray(0, 2).equals(metadataPrefix);
export const metadataStreamOf = (name: Buffer): Buffer => Buffer.concat([metadataPrefix, name]);
export const describedStreamOf = (metadataStream: Buffer): Buffer => metadataStream.subarray(2);

/** A tombstone also ends the stream's metadata stream. */
export const isTombstoned = (heads: StreamHeads, name: Buffer): boolean => {
  if (heads.get(name)?.tombstoned) return true;
  return isMetadataStream(name) && heads.get(describedStreamOf(name))?.tombstoned === true;
};

/** The lowest readable revision, without regard to age. */
export const firstVisibleRevision = (name: Buffer, { last, retention }: StreamHead): number => {
  const maxCount = isMetadataStream(name) ? 1 : retention.maxCount;
  const byCount = maxCount === undefined ? 0 : last - maxCount + 1;
  return Math.max(0, byCount, retention.before ?? 0);
};
