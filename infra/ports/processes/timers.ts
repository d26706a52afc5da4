/** Commands that are due later. Rows survive everything; what is made of them is derived, so that firing twice is firing once. */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { Fault } from '../../../domain/kernel/rejection';

export type TimersFault = Fault<'timers-unavailable'>;

/** Identifies a timer, with the event and action that set it. */
export interface TimerKey {
  readonly process: string;
  /** The stream of the process's instance. */
  readonly instance: string;
  readonly key: string;
  /** Of the event that was answered, and the action's number in that answer: later ones win. */
  readonly position: bigint;
  readonly ordinal: number;
}

export interface Timer extends TimerKey {
  /** Derived: the same timer set again changes nothing, whatever became of it. */
  readonly id: string;
  readonly at: Instant;
  /** JSON. */
  readonly body: unknown;
}

export interface DueTimers {
  /** The earliest first. */
  readonly timers: readonly Timer[];
  /** Until the next one that is not due yet; null when there is none. */
  readonly nextMilliseconds: number | null;
}

export interface Timers {
  /** Takes the place of an earlier one of the same instance and key. */
  readonly schedule: (timer: Timer) => Promise<Either<TimersFault, void>>;
  readonly cancel: (place: TimerKey) => Promise<Either<TimersFault, void>>;
  readonly due: (process: string, limit: number) => Promise<Either<TimersFault, DueTimers>>;
  readonly fired: (ids: readonly string[]) => Promise<Either<TimersFault, void>>;
  /** Forgets what is settled, and so long ago that no event that set it can come again. Answers how many. */
  readonly purge: (process: string, until: bigint) => Promise<Either<TimersFault, number>>;
}
