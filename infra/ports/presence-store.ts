/** Where processes leave word of who is where, for those who come after them. It is forgotten soon, and nothing depends on it. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

export type PresenceStoreFault = Fault<'board-unavailable'>;

export interface PresenceWrite {
  /** By name, replacing what was there. */
  readonly upserted: readonly (readonly [name: string, value: string])[];
  readonly removed: readonly string[];
}

export interface PresenceStore {
  /** All that is on it is forgotten when nothing was written for so long. */
  readonly write: (
    board: string,
    written: PresenceWrite,
    milliseconds: number,
  ) => Promise<Either<PresenceStoreFault, void>>;
  readonly read: (board: string) => Promise<Either<PresenceStoreFault, readonly string[]>>;
  readonly close: () => Promise<void>;
}
