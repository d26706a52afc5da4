/** Where a process hears of revocations, and who it tells of them. What is said of each is the same for resource servers. */
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

/** What a process knows of the security state, for whoever tells it on. */
export interface SecurityKnowledge {
  /** Everything up to here is known. */
  readonly sequence: () => bigint | null;
  readonly stalenessMilliseconds: () => number;
  /** What is remembered of later than that, the oldest first; all of it after null. */
  readonly changesAfter: (sequence: bigint | null) => readonly SecurityChange[];
  /** Told of everything that is heard from now on; answers how to stop. */
  readonly watch: (told: (signal: SecuritySignal) => void) => () => void;
}
