/**
 * Cache of the newest committed records, so that a thousand waiting subscriptions share one copy. Positions are never
 * reused, so entries cannot become stale.
 */
import type { StoredRecord } from './record-format';

export interface RecentRecords {
  readonly at: (position: number) => StoredRecord | undefined;
  /** All records from here on are cached; infinity if none is. */
  readonly lowest: () => number;
  /** Adds records after their commit. */
  readonly add: (records: readonly StoredRecord[]) => void;
}

const maxBytes = 512 * 1024;

/** Two generations, like the head cache. */
export const createRecentRecords = (): RecentRecords => {
  let young = new Map<number, StoredRecord>();
  let old = new Map<number, StoredRecord>();
  let bytes = 0;
  let lowest = Number.POSITIVE_INFINITY;
  return {
    at: (position) => (position < lowest ? undefined : (young.get(position) ?? old.get(position))),
    lowest: () => lowest,
    add: (records) => {
      for (const record of records) {
        young.set(record.position, record);
        bytes += record.bytes.length;
        if (bytes > maxBytes / 2) {
          old = young;
          young = new Map();
          bytes = 0;
        }
      }
      [lowest = Number.POSITIVE_INFINITY] = old.size > 0 ? old.keys() : young.keys();
    },
  };
};
