/** Copies of stored objects on this machine's disk, which jobs that read the same object share. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** `no-room-on-disk`: the copy, or what is made of it, does not fit now. */
export type CopyFault = Fault<'no-room-on-disk' | 'copy-failed'>;

export interface CopyRequest {
  readonly key: string;
  readonly etag: string;
  readonly sizeBytes: number;
  /** What the job writes beside it at most: reserved until the copy is released. */
  readonly roomBytes: number;
  readonly signal: AbortSignal;
}

export interface LocalCopy {
  /** Absolute; readable for programs in sandboxes, and never written. */
  readonly path: string;
  readonly release: () => void;
}

export interface LocalCopies {
  readonly take: (request: CopyRequest) => Promise<Either<CopyFault, LocalCopy>>;
  /** Removes all copies. */
  readonly close: () => Promise<void>;
}
