/** Leases for exclusive work. A lease expires; its fencing token exposes a holder that has not noticed. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export type LeaseFault = Fault<'leases-unavailable'>;

export interface Lease {
  readonly name: string;
  /** Greater than that of every holder before. */
  readonly token: number;
}

export interface Leases {
  /** Undefined while it is another's. */
  readonly acquire: (name: string, milliseconds: number) => Promise<Either<LeaseFault, Lease | undefined>>;
  /** From now on for so long again; false when it is no longer this one's. */
  readonly renew: (lease: Lease, milliseconds: number) => Promise<Either<LeaseFault, boolean>>;
  /** Does nothing when it is another's by now. */
  readonly release: (lease: Lease) => Promise<Either<LeaseFault, void>>;
  readonly close: () => Promise<void>;
}
