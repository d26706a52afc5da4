/** What is known of a stream without reading it: its number, last revision, end, and what its metadata hides. */
import { createHash } from 'node:crypto';
import type { Tables } from './database';

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
export const hidesAll = Number.MAX_SAFE_INTEGER;
export const isSoftDeleted = ({ retention }: Head): boolean => retention.before === hidesAll;
export const isMissing = (head: Head | undefined): boolean => head === undefined || head.last < 0;

const longestKey = 1900;
/** LMDB's keys are bounded and names are not: a long one is kept by its hash. */
const nameKey = (name: Buffer): Buffer =>
  name.length <= longestKey
    ? name
    : Buffer.concat([name.subarray(0, 1000), createHash('sha256').update(name).digest()]);

export const readHead = ({ streams }: Tables, name: Buffer): Head | undefined => {
  const stored = streams.get(nameKey(name));
  return stored === undefined ? undefined : (JSON.parse(stored.toString('utf8')) as Head);
};

export const writeHead = ({ streams }: Tables, name: Buffer, head: Head): void => {
  streams.putSync(nameKey(name), Buffer.from(JSON.stringify(head)));
};

const metadataPrefix = Buffer.from('$$');
export const isMetadataStream = (name: Buffer): boolean =>
  name.length > 2 && name.subarray(0, 2).equals(metadataPrefix);
export const metadataStreamOf = (name: Buffer): Buffer => Buffer.concat([metadataPrefix, name]);
export const ownerOf = (metadataStream: Buffer): Buffer => metadataStream.subarray(2);

/** A tombstone ends the stream and its metadata for good. */
export const isEnded = (tables: Tables, name: Buffer): boolean => {
  if (readHead(tables, name)?.tombstoned) return true;
  return isMetadataStream(name) && readHead(tables, ownerOf(name))?.tombstoned === true;
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
