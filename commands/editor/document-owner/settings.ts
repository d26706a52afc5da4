/** Settings of document owners. */
import { permissionMaxAgeMilliseconds } from '../access/revocation-delay';

export interface OwnerSettings {
  /** Other processes take a document after this time without renewal. */
  readonly leaseMilliseconds: number;
  readonly renewalMilliseconds: number;
  /** A document without subscribers and batches is unloaded after this time. */
  readonly idleMilliseconds: number;
  /**
   * Maximum wait for the snapshot when the process drains: the next owner waits as long. Without it, that owner
   * replays the tail.
   */
  readonly drainMilliseconds: number;
  /** Pause before a failed open is retried, doubled each time up to the longest. */
  readonly reopenBackoff: { readonly pauseMilliseconds: number; readonly longestMilliseconds: number };
  /** Maximum age of cached access state; revocations wait as long. */
  readonly permissionMaxAgeMilliseconds: number;
  readonly maxDocuments: number;
  /** Of all open documents together. */
  readonly maxNodes: number;
  /** Queued batches of one document. */
  readonly maxQueued: number;
  /** Clients in one document's table; each snapshot contains all of them. */
  readonly maxClients: number;
  /** Bounds of the backlog for reconnecting clients. */
  readonly backlog: { readonly operations: number; readonly bytes: number };
  /** Bounds of one append: the log accepts a mebibyte, and one document's burst must not delay others. */
  readonly append: {
    readonly bytes: number;
    readonly operations: number;
    /** Pause before a retry, doubled each time. */
    readonly pauseMilliseconds: number;
    /** Time in which an append's outcome must be known. */
    readonly retryMilliseconds: number;
  };
  readonly snapshot: {
    /** Thresholds since the last snapshot. */
    readonly operations: number;
    readonly bytes: number;
    /** With fewer operations, an unloaded document gets no snapshot: replay is cheaper. */
    readonly minOperations: number;
    /**
     * Above this many bytes since the last snapshot, batches are refused until there is a new one: all of them are in
     * memory.
     */
    readonly maxBytes: number;
    /** Pause after a failed snapshot. */
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

/** Memory per node, with its indexes. */
const bytesOfNode = 900;
/** The rest of the heap is for documents being opened and for broadcasts. */
const heapShare = 0.6;

/** Limits the nodes to what the heap can hold: a process that runs out of memory loses all its documents. */
export const settingsFor = (heapBytes: number): OwnerSettings => {
  const fitting = Math.floor((heapBytes * heapShare) / bytesOfNode);
  return { ...ownerSettings, maxNodes: Math.min(ownerSettings.maxNodes, fitting) };
};
