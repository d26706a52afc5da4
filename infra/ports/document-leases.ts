/**
 * Which process a document is with: so that requests find it, and so that two do not take turns. Whether it may write is for the log to
 * say, which it asks with every append.
 */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

export type DocumentLeaseFault = Fault<'owners-unavailable'>;

export interface LeaseResult {
  readonly isHeld: boolean;
  /** Of whoever has it. */
  readonly address: string;
}

export interface DocumentLeases {
  /** For so many milliseconds. What a predecessor at this address left is taken over, and what is with `instead`, where nobody is found. */
  readonly acquire: (
    document: string,
    milliseconds: number,
    instead?: string,
  ) => Promise<Either<DocumentLeaseFault, LeaseResult>>;
  /** Once more for so long, all at once; what nobody has is had again. Answers those that are another's by now. */
  readonly renew: (
    documents: readonly string[],
    milliseconds: number,
  ) => Promise<Either<DocumentLeaseFault, readonly string[]>>;
  /** Where it is, while it is with anybody. */
  readonly holderAddress: (document: string) => Promise<Either<DocumentLeaseFault, string | undefined>>;
  /** Does nothing to what is another's by now. */
  readonly release: (documents: readonly string[]) => Promise<Either<DocumentLeaseFault, void>>;
  readonly close: () => Promise<void>;
}
