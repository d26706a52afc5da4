/** Where processes leave word of who is where, for those who come after them. It is forgotten soon, and nothing depends on it. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

export type BoardFault = Fault<'board-unavailable'>;

export interface Written {
  /** By name, replacing what was there. */
  readonly there: readonly (readonly [name: string, value: string])[];
  readonly left: readonly string[];
}

export interface PresenceBoard {
  /** All that is on it is forgotten when nothing was written for so long. */
  readonly write: (board: string, written: Written, milliseconds: number) => Promise<Either<BoardFault, void>>;
  readonly read: (board: string) => Promise<Either<BoardFault, readonly string[]>>;
  readonly close: () => Promise<void>;
}
