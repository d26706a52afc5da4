import type { Instant } from '../../../domain/kernel/codec';

export interface Clock {
  /** Wall clock, UTC. */
  readonly now: () => Instant;
}
