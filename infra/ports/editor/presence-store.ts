/** Port: short-lived presence that the next owner of a document can read. Nothing depends on it. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export type PresenceStoreFault = Fault<'board-unavailable'>;

export interface PresenceWrite {
  /** By name, replacing earlier values. */
  readonly upserted: readonly (readonly [name: string, value: string])[];
  readonly removed: readonly string[];
}

export interface PresenceStore {
  /** The whole entry expires this long after the last write. */
  readonly write: (
    board: string,
    written: PresenceWrite,
    milliseconds: number,
  ) => Promise<Either<PresenceStoreFault, void>>;
  readonly read: (board: string) => Promise<Either<PresenceStoreFault, readonly string[]>>;
  readonly close: () => Promise<void>;
}
