/**
 * Port: leases that route requests to a document's owner and keep two processes from alternating. Whether a process
 * may write is decided by the log at each append.
 */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export type DocumentLeaseFault = Fault<'owners-unavailable'>;

export interface LeaseResult {
  readonly isHeld: boolean;
  /** Address of the holder. */
  readonly address: string;
}

export interface DocumentLeases {
  /**
   * Acquires the lease for a time. Takes over leases of this address (a previous process), and of `instead`, whose
   * process does not answer.
   */
  readonly acquire: (
    document: string,
    milliseconds: number,
    instead?: string,
  ) => Promise<Either<DocumentLeaseFault, LeaseResult>>;
  /** Renews all leases, and acquires expired ones again. Returns the leases that another process holds. */
  readonly renew: (
    documents: readonly string[],
    milliseconds: number,
  ) => Promise<Either<DocumentLeaseFault, readonly string[]>>;
  /** Address of the holder; undefined if there is none. */
  readonly holderAddress: (document: string) => Promise<Either<DocumentLeaseFault, string | undefined>>;
  /** Ignores leases of other processes. */
  readonly release: (documents: readonly string[]) => Promise<Either<DocumentLeaseFault, void>>;
  readonly close: () => Promise<void>;
}
