/** Revocations: the feed from which a process learns of them, and what it knows. The changes are those of the resource-server package. */
import type {
  SecurityChange,
  SecurityKind,
  SecuritySignal,
} from '../../../packages/resource-server/src/verification/index';

export type { SecurityChange, SecurityKind, SecuritySignal };

export interface SecurityFeed {
  /** May repeat and reorder changes. Ends when the signal aborts; may throw, and is followed again then. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<SecuritySignal>;
}

/** The process's security state, for streams that pass it on. */
export interface SecurityKnowledge {
  /** Everything up to here is known. */
  readonly sequence: () => bigint | null;
  readonly stalenessMilliseconds: () => number;
  /** The remembered changes after the sequence, the oldest first; all of them after null. */
  readonly changesAfter: (sequence: bigint | null) => readonly SecurityChange[];
  /** Calls the listener with every later change; returns the function that stops it. */
  readonly watch: (listener: (signal: SecuritySignal) => void) => () => void;
}
