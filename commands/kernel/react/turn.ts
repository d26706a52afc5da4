/** One turn of a process: from when its lease was taken until it ends, is lost, or something cannot go on. */
import type { Skipped } from '../../../domain/platform/skips/decider';
import type { Bell } from './bell';
import type { HeldLease } from './keep-lease';
import type { Lanes } from './lanes';
import type { Running } from './running';
import type { Answering } from './settle';

/** `lost`: another copy goes on. */
export type End = 'drained' | 'lost' | 'stopped' | 'interrupted';

/** Where a turn begins, and what operators let it go past. */
export interface Start {
  readonly position: bigint | null;
  readonly skipped: Skipped;
}

export interface Turn extends Running {
  readonly lease: HeldLease;
  readonly lanes: Lanes;
  readonly answering: Answering;
  readonly bell: Bell;
  readonly skipped: Skipped;
  /** Of this turn alone. */
  readonly signal: AbortSignal;
  readonly end: (how: End) => void;
  readonly seen: { position: bigint | null; caughtUpAt: bigint | null | undefined; saved: bigint | null };
}
