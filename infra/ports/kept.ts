/** Small values kept under a name for a while, for all copies of a process that share the store. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

export type KeptFault = Fault<'service-unavailable'>;

export interface Kept {
  readonly find: (name: string) => Promise<Either<KeptFault, string | undefined>>;
  readonly put: (name: string, value: string, milliseconds: number) => Promise<Either<KeptFault, void>>;
  /** False: it was not there any longer, and is not now. */
  readonly replace: (name: string, value: string, milliseconds: number) => Promise<Either<KeptFault, boolean>>;
  readonly remove: (name: string) => Promise<Either<KeptFault, void>>;
  readonly close: () => Promise<void>;
}
