/** Whether an id is used for the first time, over all processes. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export interface ReplayCache {
  /** Remembered for so many milliseconds. Left: it cannot be known right now. */
  readonly first: (id: string, milliseconds: number) => Promise<Either<Fault<'service-unavailable'>, boolean>>;
  readonly close: () => Promise<void>;
}
