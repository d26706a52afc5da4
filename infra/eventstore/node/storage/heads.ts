/** What is known of a stream without reading it: its number, last revision, end, and what its metadata hides. */
import { createHash } from 'node:crypto';
import { eventKey, numberOf, type Tables } from './database';

export interface Retention {
  /** The stream's last so many events are visible. */
  readonly maxCount?: number;
  /** Seconds. */
  readonly maxAge?: number;
  /** Events below this revision are hidden; `hidesAll` after a soft delete. */
  readonly before?: number;
}

export interface Head {
  readonly number: number;
  /** -1 before the first event. */
  readonly last: number;
  readonly tombstoned: boolean;
  readonly retention: Retention;
}

/** A soft delete writes int64's maximum as `$tb`. */
const hidesAll = Number.MAX_SAFE_INTEGER;
export const isSoftDeleted = ({ retention }: Head): boolean => retention.before === hidesAll;
export const isMissing = (head: Head | undefined): boolean => head === undefined || head.last < 0;

const longestKey = 1900;
/** LMDB's keys are bounded and names are not: a long one is kept by its hash, in a key longer than any short name. */
const nameKey = (name: Buffer): Buffer =>
  name.length <= longestKey
    ? name
    : Buffer.concat([name.subarray(0, longestKey), createHash('sha256').update(name).digest()]);

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

const load = (tables: Tables, name: Buffer): Head | undefined => {
  const stored = tables.streams.get(nameKey(name));
  if (stored === undefined) return undefined;
  const lasting = JSON.parse(stored.toString('utf8')) as Omit<Head, 'last'>;
  return { ...lasting, last: lastRevision(tables, lasting.number) };
};

/** Heads as committed, the recently used ones in memory. The last revision is not stored: the events' index knows it. */
export interface Heads {
  readonly get: (name: Buffer) => Head | undefined;
  readonly set: (name: Buffer, head: Head) => void;
}

const mostCached = 10_000;

export const cacheHeads = (tables: Tables): Heads => {
  const cache = new Map<string, Head>();
  const set = (name: Buffer, head: Head): void => {
    const key = keyOf(name);
    cache.delete(key);
    cache.set(key, head);
    if (cache.size > mostCached) cache.delete(cache.keys().next().value as string);
  };
  return {
    get: (name) => {
      const cached = cache.get(keyOf(name));
      if (cached !== undefined) return cached;
      const head = load(tables, name);
      if (head !== undefined) set(name, head);
      return head;
    },
    set,
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
      if (before?.retention === head.retention && before.tombstoned === head.tombstoned) return;
      const { last: _, ...lasting } = head;
      tables.streams.putSync(nameKey(name), Buffer.from(JSON.stringify(lasting)));
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

const natural = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, hidesAll) : undefined;

/** Metadata that is not as it should be counts as none at all, as EventStoreDB has it. */
export const retentionOf = (data: Uint8Array): Retention => {
  try {
    const json: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    if (typeof json !== 'object' || json === null) return {};
    const named = { $maxCount: 'maxCount', $maxAge: 'maxAge', $tb: 'before' } as const;
    const retention: { maxCount?: number; maxAge?: number; before?: number } = {};
    for (const [wire, field] of Object.entries(named)) {
      const value = (json as Record<string, unknown>)[wire];
      if (value === undefined || value === null) continue;
      const number = natural(value);
      if (number === undefined) return {};
      retention[field] = number;
    }
    return retention;
  } catch {
    return {};
  }
};

/** The lowest revision that may be read, age aside. */
export const firstVisible = (name: Buffer, { last, retention }: Head): number => {
  const maxCount = isMetadataStream(name) ? 1 : retention.maxCount;
  const byCount = maxCount === undefined ? 0 : last - maxCount + 1;
  return Math.max(0, byCount, retention.before ?? 0);
};
