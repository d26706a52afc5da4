/** The newest ids in flat arrays, in the order they came: an object for each would cost ten times the memory. */
import { randomFillSync } from 'node:crypto';

export interface KnownId {
  readonly stream: number;
  readonly revision: number;
  /** Still known when a scavenge has removed the event. */
  readonly position: number;
}

export interface RecentIds {
  readonly get: (id: string) => KnownId | undefined;
  /** An id that is known already stays where it was used first. */
  readonly set: (id: string, known: KnownId) => void;
}

const wordsPerId = 4;
const none = -1;
const dash = 45;

/** The 128 bits of a lower-case UUID. */
const parse = (id: string, words: Uint32Array): void => {
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

/** Clients choose ids: without a secret they could choose such that meet in one chain. */
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

const at = (array: Int32Array | Float64Array, index: number): number => array[index] ?? none;

/** Slots of a ring that are found by their id, each in one bucket's chain. */
interface Chains {
  readonly ids: Uint32Array;
  readonly buckets: Int32Array;
  readonly following: Int32Array;
  readonly bucketOf: (words: Uint32Array) => number;
}

const createChains = (capacity: number): Chains => {
  const buckets = new Int32Array(2 ** Math.ceil(Math.log2(capacity + 1))).fill(none);
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
  while (slot !== none && !isAt(chains, slot, words)) slot = at(chains.following, slot);
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

export const createIdTable = (capacity: number): RecentIds => {
  const chains = createChains(capacity);
  const streams = new Float64Array(capacity);
  const revisions = new Float64Array(capacity);
  const positions = new Float64Array(capacity);
  const words = new Uint32Array(wordsPerId);
  let added = 0;
  return {
    get: (id) => {
      parse(id, words);
      const slot = find(chains, words);
      if (slot === none) return undefined;
      return { stream: at(streams, slot), revision: at(revisions, slot), position: at(positions, slot) };
    },
    set: (id, { stream, revision, position }) => {
      parse(id, words);
      if (find(chains, words) !== none) return;
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
