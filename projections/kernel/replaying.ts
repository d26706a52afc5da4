/** What replaying and following carry along. */
import type { EventStore } from '../../infra/ports/event-store';
import type { Gathered, Writing } from './batch';
import type { Projection } from './projection';

/** Where one generation stands; moves as batches are written. */
export interface Cursor {
  readonly generation: number;
  position: bigint | null;
}

export interface Step {
  readonly gathered: Gathered;
  /** Where the view stands once all of it is in. */
  readonly position: bigint | null;
  /** Rows are wanted now; while there is more to read, cheaply will do. */
  readonly live: boolean;
  /** The view has all of the log. */
  readonly whole: boolean;
}

export interface Replaying extends Writing {
  readonly store: EventStore;
  readonly projection: Projection;
  readonly cursor: Cursor;
  /** Told after every batch. */
  readonly applied: (step: Step, position: bigint, seconds: number) => void;
}
