/** Bounds and paces of owners. */
import { permissionMaxAgeMilliseconds } from '../access/revocation-delay';

export interface OwnerSettings {
  /** How long others leave a document to an owner that they do not hear of. */
  readonly leaseMilliseconds: number;
  readonly renewalMilliseconds: number;
  /** Without followers and batches, a document is let go after this. */
  readonly idleMilliseconds: number;
  /** Of a process that ends: the next owner waits for it. Longer than that no snapshot is waited for, whose tail is read instead. */
  readonly drainMilliseconds: number;
  /** Before one that could not be opened is tried again, twice as long each time up to the longest. */
  readonly reopenBackoff: { readonly pauseMilliseconds: number; readonly longestMilliseconds: number };
  /** So old is what is known of who may edit, at most: whoever takes a right away waits for that. */
  readonly permissionMaxAgeMilliseconds: number;
  readonly maxDocuments: number;
  /** Of all open documents together. */
  readonly maxNodes: number;
  /** Of one document that wait to be put in order. */
  readonly maxQueued: number;
  /** That are known of one document: each snapshot has all of them. */
  readonly maxClients: number;
  /** What clients that were away may be behind. */
  readonly backlog: { readonly operations: number; readonly bytes: number };
  /** Of one append: the log takes a mebibyte, and one document's burst must not hold up all others'. */
  readonly append: {
    readonly bytes: number;
    readonly operations: number;
    /** Before it is tried again, twice as long each time. */
    readonly pauseMilliseconds: number;
    /** For so long it is tried to tell what became of one. */
    readonly retryMilliseconds: number;
  };
  readonly snapshot: {
    /** After so much since the one before. */
    readonly operations: number;
    readonly bytes: number;
    /** Fewer are read again rather than kept in one when a document is let go. */
    readonly minOperations: number;
    /** With more than this since the last one, nothing is taken until there is one: it all has to be held. */
    readonly maxBytes: number;
    /** After one that failed. */
    readonly pauseMilliseconds: number;
  };
}

export const ownerSettings: OwnerSettings = {
  leaseMilliseconds: 2_500,
  renewalMilliseconds: 800,
  idleMilliseconds: 60_000,
  drainMilliseconds: 1_500,
  reopenBackoff: { pauseMilliseconds: 500, longestMilliseconds: 15_000 },
  permissionMaxAgeMilliseconds,
  maxDocuments: 2_000,
  maxNodes: 4_000_000,
  maxQueued: 5_000,
  maxClients: 10_000,
  backlog: { operations: 10_000, bytes: 2_097_152 },
  append: { bytes: 900_000, operations: 2_000, pauseMilliseconds: 20, retryMilliseconds: 10_000 },
  snapshot: {
    operations: 2_000,
    bytes: 1_048_576,
    minOperations: 50,
    maxBytes: 33_554_432,
    pauseMilliseconds: 5_000,
  },
};

/** What one takes in memory, with everything that leads to it. */
const bytesOfNode = 900;
/** The rest is for what is being opened, and for what everybody is told. */
const heapShare = 0.6;

/** A process that holds more than its heap takes ends, with everybody's documents. */
export const settingsFor = (heapBytes: number): OwnerSettings => {
  const fitting = Math.floor((heapBytes * heapShare) / bytesOfNode);
  return { ...ownerSettings, maxNodes: Math.min(ownerSettings.maxNodes, fitting) };
};
