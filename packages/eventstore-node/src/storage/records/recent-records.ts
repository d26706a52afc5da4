/**
 * The newest records as they were committed: a thousand subscriptions that wait for them share one copy of each, where
 * every read from disk makes its own. Positions are never used twice, so that nothing here gets old.
 */
import type { StoredRecord } from './record-format';

export interface RecentRecords {
  readonly at: (position: number) => StoredRecord | undefined;
  /** All from here on are kept; infinity while none is. */
  readonly lowest: () => number;
  /** Once they are on disk. */
  readonly add: (records: readonly StoredRecord[]) => void;
}

const maxBytes = 512 * 1024;

/** In two generations, as the heads are. */
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
