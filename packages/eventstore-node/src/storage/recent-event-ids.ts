/**
 * Ids of the newest events, which identify repeated appends with `any`, also after a restart. Bounded: older ids are
 * forgotten. An id belongs to the stream that used it first.
 */

import { randomFillSync } from 'node:crypto';
import { isOpen, numberOf, positionKey, type Tables } from './lmdb-tables';
import { lastPositionOf } from './read-pages';
import { idOf, isIntact, revisionOf, streamNumberOf, tombstoneRevision } from './records/record-format';

const maxRememberedIds = 100_000;
/** Bound of the log that a start reads back. */
const maxBytesRead = 64 * 1024 * 1024;

/** Positions are byte offsets, so their difference is the size to read. */
const findLoadStart = (tables: Tables): number => {
  const byBytes = (lastPositionOf(tables) ?? 0) - maxBytesRead;
  for (const key of tables.log.getKeys({ reverse: true, offset: maxRememberedIds - 1, limit: 1 }))
    return Math.max(numberOf(key), byBytes);
  return Math.max(0, byBytes);
};

/** Returns a function that reads the next `limit` records of the log as it was when opened. */
const createIdLoader = (tables: Tables, ids: RecentEventIds): ((limit: number) => void) => {
  // Later events are added when they commit; reading them here could add uncommitted ones.
  const end = lastPositionOf(tables) ?? -1;
  let from = findLoadStart(tables);
  return (limit) => {
    if (from > end) return;
    const range = { start: positionKey(from), end: positionKey(end + 1), limit };
    from = end + 1;
    let left = limit;
    for (const { key, value } of tables.log.getRange(range)) {
      left -= 1;
      const position = numberOf(key);
      if (left === 0) from = position + 1;
      // Reads and `verify` report corruption; it must not keep the node from starting.
      if (!isIntact(value)) continue;
      const revision = revisionOf(value);
      if (revision !== tombstoneRevision) ids.set(idOf(value), { stream: streamNumberOf(value), revision, position });
    }
  };
};

/** Takes a few milliseconds. */
const eventsPerStep = 1_000;

/** Reads the ids back in slices after the start. The first lookup waits for the rest. */
export const loadRecentEventIds = (tables: Tables): RecentEventIds => {
  const ids = createIdTable(maxRememberedIds);
  const load = createIdLoader(tables, ids);
  let left = maxRememberedIds;
  const loadNext = (): void => {
    if (left <= 0 || !isOpen(tables)) return;
    load(eventsPerStep);
    left -= eventsPerStep;
    setImmediate(loadNext);
  };
  setImmediate(loadNext);
  return {
    get: (id) => {
      load(maxRememberedIds);
      return ids.get(id);
    },
    set: (id, known) => {
      load(maxRememberedIds);
      ids.set(id, known);
    },
  };
};

/** Ids added in a transaction, dropped if it fails. */
export const createEventIdOverlay = (committed: RecentEventIds): RecentEventIds & { readonly publish: () => void } => {
  const added = new Map<string, KnownEventId>();
  return {
    get: (id) => committed.get(id) ?? added.get(id),
    set: (id, known) => {
      if (!added.has(id)) added.set(id, known);
    },
    publish: () => {
      for (const [id, known] of added) committed.set(id, known);
    },
  };
};

export interface KnownEventId {
  readonly stream: number;
  readonly revision: number;
  /** Stays even after a scavenge removed the event. */
  readonly position: number;
}

/** The newest ids in flat arrays, in order of arrival: one object per id would take ten times the memory. */
export interface RecentEventIds {
  readonly get: (id: string) => KnownEventId | undefined;
  /** A known id keeps its first stream. */
  readonly set: (id: string, known: KnownEventId) => void;
}

const wordsPerId = 4;
const noSlot = -1;
const dash = 45;

/** Parses the 128 bits of a lower-case UUID. */
const parseUuid = (id: string, words: Uint32Array): void => {
  let word = 0;
  let digits = 0;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code === dash) continue;
    word = (word << 4) | ((code < 58 ? code - 48 : code - 87) & 15);
    digits += 1;
    if (digits % 8 === 0) words[digits / 8 - 1] = word;
  }
};

/** Keyed with a secret, because clients choose ids and could make them collide. */
const createHash = (): ((words: Uint32Array) => number) => {
  const secret = randomFillSync(new Uint32Array(2 * wordsPerId));
  return (words) => {
    let hash = 0;
    for (let word = 0; word < wordsPerId; word += 1) {
      hash ^= Math.imul((words[word] ?? 0) ^ (secret[word] ?? 0), (secret[wordsPerId + word] ?? 0) | 1);
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    }
    return (hash ^ (hash >>> 13)) >>> 0;
  };
};

const at = (array: Int32Array | Float64Array, index: number): number => array[index] ?? noSlot;

/** Hash chains over the slots of a ring. */
interface Chains {
  readonly ids: Uint32Array;
  readonly buckets: Int32Array;
  readonly following: Int32Array;
  readonly bucketOf: (words: Uint32Array) => number;
}

const createChains = (capacity: number): Chains => {
  const buckets = new Int32Array(2 ** Math.ceil(Math.log2(capacity + 1))).fill(noSlot);
  const hash = createHash();
  return {
    ids: new Uint32Array(capacity * wordsPerId),
    buckets,
    following: new Int32Array(capacity),
    bucketOf: (words) => hash(words) & (buckets.length - 1),
  };
};

const isAt = ({ ids }: Chains, slot: number, words: Uint32Array): boolean => {
  for (let word = 0; word < wordsPerId; word += 1) if (ids[slot * wordsPerId + word] !== words[word]) return false;
  return true;
};

const find = (chains: Chains, words: Uint32Array): number => {
  let slot = at(chains.buckets, chains.bucketOf(words));
  while (slot !== noSlot && !isAt(chains, slot, words)) slot = at(chains.following, slot);
  return slot;
};

const link = ({ ids, buckets, following, bucketOf }: Chains, slot: number, words: Uint32Array): void => {
  ids.set(words, slot * wordsPerId);
  const bucket = bucketOf(words);
  following[slot] = at(buckets, bucket);
  buckets[bucket] = slot;
};

const unlink = ({ ids, buckets, following, bucketOf }: Chains, slot: number): void => {
  const bucket = bucketOf(ids.subarray(slot * wordsPerId, (slot + 1) * wordsPerId));
  let before = at(buckets, bucket);
  if (before === slot) {
    buckets[bucket] = at(following, slot);
    return;
  }
  while (at(following, before) !== slot) before = at(following, before);
  following[before] = at(following, slot);
};

export const createIdTable = (capacity: number): RecentEventIds => {
  const chains = createChains(capacity);
  const streams = new Float64Array(capacity);
  const revisions = new Float64Array(capacity);
  const positions = new Float64Array(capacity);
  const words = new Uint32Array(wordsPerId);
  let added = 0;
  return {
    get: (id) => {
      parseUuid(id, words);
      const slot = find(chains, words);
      if (slot === noSlot) return undefined;
      return { stream: at(streams, slot), revision: at(revisions, slot), position: at(positions, slot) };
    },
    set: (id, { stream, revision, position }) => {
      parseUuid(id, words);
      if (find(chains, words) !== noSlot) return;
      const slot = added % capacity;
      if (added >= capacity) unlink(chains, slot);
      link(chains, slot, words);
      streams[slot] = stream;
      revisions[slot] = revision;
      positions[slot] = position;
      added += 1;
    },
  };
};
