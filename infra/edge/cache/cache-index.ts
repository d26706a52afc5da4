/**
 * Which objects are on disk, in the order of their last use, and how many bytes they take: never more than allowed. What is being read is not
 * evicted, because its bytes would stay on the disk as long as it is open. (`lru-cache` evicts whatever is oldest, so the order is kept here.)
 */
import { setMaxListeners } from 'node:events';
import type { StoredFile } from './cache-files';

export interface CacheEntry extends StoredFile {
  /** False until it was held to its digest, where an earlier process wrote it. */
  isVerified: boolean;
  readers: number;
  /** No reader finds it any more; its bytes count until the last one has ended. */
  isDropped: boolean;
  /** Ends its readers. */
  readonly purged: AbortController;
}

export interface CacheIndex {
  readonly find: (key: string) => CacheEntry | undefined;
  /** Evicts until there is room; false where what is being read leaves none. */
  readonly reserve: (bytes: number) => Promise<boolean>;
  readonly unreserve: (bytes: number) => void;
  /** Of an earlier process. */
  readonly adopt: (file: StoredFile) => void;
  /** A verified file whose bytes were reserved before, and that clients read already. */
  readonly add: (file: StoredFile, reading: Pick<CacheEntry, 'readers' | 'purged'>) => CacheEntry;
  readonly pin: (entry: CacheEntry) => void;
  readonly unpin: (entry: CacheEntry) => void;
  /** Of which the caller removes the file; its bytes count until `settle`. */
  readonly drop: (entry: CacheEntry) => void;
  readonly withPrefix: (prefix: string) => readonly CacheEntry[];
  /** The file of a dropped entry is removed. */
  readonly settle: (entry: CacheEntry) => void;
  readonly usage: () => { readonly objects: number; readonly bytes: number };
}

export interface CacheIndexOptions {
  readonly maxBytes: number;
  readonly removeFile: (file: StoredFile) => Promise<void>;
  readonly evicted: () => void;
}

export const createPurgeSignal = (): AbortController => {
  const controller = new AbortController();
  // Every reader listens for it.
  setMaxListeners(0, controller.signal);
  return controller;
};

export const createCacheIndex = ({ maxBytes, removeFile, evicted }: CacheIndexOptions): CacheIndex => {
  /** The least recently used first. */
  const entries = new Map<string, CacheEntry>();
  /** Dropped and removed from the disk, and read to the end. */
  const removed = new Set<CacheEntry>();
  let bytes = 0;
  const free = (entry: CacheEntry): void => {
    if (entry.readers > 0 || !removed.delete(entry)) return;
    bytes -= entry.size;
  };
  const drop = (entry: CacheEntry): void => {
    entry.isDropped = true;
    if (entries.get(entry.key) === entry) entries.delete(entry.key);
  };
  const settle = (entry: CacheEntry): void => {
    removed.add(entry);
    free(entry);
  };
  const findVictim = (): CacheEntry | undefined => {
    for (const entry of entries.values()) if (entry.readers === 0) return entry;
    return undefined;
  };
  return {
    find: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    reserve: async (wanted) => {
      while (bytes + wanted > maxBytes) {
        const victim = wanted > maxBytes ? undefined : findVictim();
        if (victim === undefined) return false;
        drop(victim);
        // What cannot be removed keeps its bytes, in the sum as on the disk.
        if (
          !(await removeFile(victim).then(
            () => true,
            () => false,
          ))
        )
          return false;
        settle(victim);
        evicted();
      }
      bytes += wanted;
      return true;
    },
    unreserve: (reserved) => {
      bytes -= reserved;
    },
    adopt: ({ key, size, sha256 }) => {
      const file = { key, size, sha256 };
      entries.set(key, { ...file, isVerified: false, readers: 0, isDropped: false, purged: createPurgeSignal() });
      bytes += size;
    },
    add: (file, reading) => {
      const entry = { ...file, ...reading, isVerified: true, isDropped: false };
      entries.set(file.key, entry);
      return entry;
    },
    pin: (entry) => {
      entry.readers += 1;
    },
    unpin: (entry) => {
      entry.readers -= 1;
      free(entry);
    },
    drop,
    withPrefix: (prefix) => [...entries.values()].filter(({ key }) => key.startsWith(prefix)),
    settle,
    usage: () => ({ objects: entries.size, bytes }),
  };
};
