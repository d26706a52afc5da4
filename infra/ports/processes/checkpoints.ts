/** How far each process has answered the log. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export type CheckpointFault = Fault<'checkpoints-unavailable'>;

export interface ProcessCheckpoints {
  /** Undefined before the process first ran. */
  readonly load: (process: string) => Promise<Either<CheckpointFault, bigint | null | undefined>>;
  /** False when a later token has written, or the saved position is higher: the caller's lease is outdated. */
  readonly save: (process: string, position: bigint | null, token: number) => Promise<Either<CheckpointFault, boolean>>;
}
