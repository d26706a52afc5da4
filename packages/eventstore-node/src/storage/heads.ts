/** What is known of a stream without reading it: its number, last revision, end, and what its metadata hides. */
import { createHash } from 'node:crypto';
import { eventKey, numberOf, type Tables } from './database';
import { type Acl, hidesAll, type Retention } from './metadata';
import { seal, unseal } from './sealed';

export interface Head {
  readonly number: number;
  /** -1 before the first event. */
  readonly last: number;
  readonly tombstoned: boolean;
  readonly retention: Retention;
  readonly acl?: Acl | undefined;
}

export const isSoftDeleted = ({ retention }: Head): boolean => retention.before === hidesAll;
export const isMissing = (head: Head | undefined): boolean => head === undefined || head.last < 0;

const longestKey = 1900;
/** LMDB's keys are bounded and names are not: a long one is kept by its hash, in a key longer than any short name. */
export const nameKey = (name: Buffer): Buffer =>
  name.length <= longestKey
    ? name
    : Buffer.concat([name.subarray(0, longestKey), createHash('sha256').update(name).digest()]);

/** The name a key stands for; undefined for a hashed one. */
export const nameIn = (key: Buffer): Buffer | undefined => (key.length <= longestKey ? key : undefined);

const keyOf = (name: Buffer): string => name.toString('latin1');

const lastRevision = ({ events }: Tables, number: number): number => {
  const below = {
    start: eventKey(number, hidesAll),
    end: eventKey(number - 1, Number.POSITIVE_INFINITY),
    reverse: true,
    limit: 1,
  };
  for (const key of events.getKeys(below)) if (numberOf(key) === number) return numberOf(key, 8);
  return -1;
};

/** As stored, past any cache. */
export const loadHead = (tables: Tables, name: Buffer): Head | undefined => {
  const stored = tables.streams.get(nameKey(name));
  if (stored === undefined) return undefined;
  const lasting = unseal(stored) as Omit<Head, 'last'>;
  return { ...lasting, last: lastRevision(tables, lasting.number) };
};

/** Heads as committed. The last revision is not stored: the events' index knows it. */
export interface Heads {
  readonly get: (name: Buffer) => Head | undefined;
  readonly set: (name: Buffer, head: Head) => void;
}

/** Names and access lists are as long as clients like: what is kept is bounded in bytes. */
const mostCachedBytes = 8 * 1024 * 1024;
/** About what an entry takes beside its name, and a role beside its own. */
const entryBytes = 256;
const roleBytes = 64;

const weightOf = (key: string, { acl }: Head): number => {
  let weight = key.length + entryBytes;
  if (acl !== undefined)
    for (const roles of Object.values(acl)) for (const role of roles) weight += role.length + roleBytes;
  return weight;
};

/** The recently used ones, in two generations: removing the oldest of one map again and again would get slow. */
export const cacheHeads = (tables: Tables): Heads => {
  let young = new Map<string, Head>();
  let old = new Map<string, Head>();
  let bytes = 0;
  const keep = (key: string, head: Head): void => {
    const before = young.get(key);
    bytes += weightOf(key, head) - (before === undefined ? 0 : weightOf(key, before));
    young.set(key, head);
    if (bytes <= mostCachedBytes / 2) return;
    old = young;
    young = new Map();
    bytes = 0;
  };
  return {
    get: (name) => {
      const key = keyOf(name);
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const head = old.get(key) ?? loadHead(tables, name);
      if (head !== undefined) keep(key, head);
      return head;
    },
    set: (name, head) => keep(keyOf(name), head),
  };
};

/** Heads inside a transaction: what it changed, before the committed ones. */
export const overlayHeads = (tables: Tables, committed: Heads): Heads & { readonly publish: () => void } => {
  const changed = new Map<string, { readonly name: Buffer; readonly head: Head }>();
  const get = (name: Buffer): Head | undefined => changed.get(keyOf(name))?.head ?? committed.get(name);
  return {
    get,
    set: (name, head) => {
      const before = get(name);
      changed.set(keyOf(name), { name, head });
      const same = before?.retention === head.retention && before.acl === head.acl;
      if (same && before.tombstoned === head.tombstoned) return;
      const { last: _, ...lasting } = head;
      tables.streams.putSync(nameKey(name), seal(lasting));
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
export const ownerOf = (metadataStream: Buffer): Buffer => metadataStream.subarray(2);

/** A tombstone ends the stream and its metadata for good. */
export const isEnded = (heads: Heads, name: Buffer): boolean => {
  if (heads.get(name)?.tombstoned) return true;
  return isMetadataStream(name) && heads.get(ownerOf(name))?.tombstoned === true;
};

/** The lowest revision that may be read, age aside. */
export const firstVisible = (name: Buffer, { last, retention }: Head): number => {
  const maxCount = isMetadataStream(name) ? 1 : retention.maxCount;
  const byCount = maxCount === undefined ? 0 : last - maxCount + 1;
  return Math.max(0, byCount, retention.before ?? 0);
};
