/** What one process counts of one limit while the store is away. Times in microseconds, of a clock that only goes forward. */
import type { LimitState } from './asked';

export interface LocalState {
  /** What is left once it passes, or is left as it does not; changes nothing. */
  readonly check: (cost: number, now: number) => LimitState;
  /** How long the next one waits for its turn (queues). */
  readonly turn: (now: number) => number;
  /** Answers what `correct` knows it by. */
  readonly take: (cost: number, now: number) => number;
  readonly correct: (taken: number, delta: number, now: number) => void;
  /** What the store said of it then: no more than the share of what was left passes. */
  readonly heard: (said: LimitState, when: number, now: number) => void;
  /** From then on, it is as if it had never been. */
  readonly idleAt: () => number;
}
