/** Key-value store with expiry for small values, shared by all instances of a service. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export type ExpiringStoreFault = Fault<'service-unavailable'>;

export interface ExpiringStore {
  readonly find: (name: string) => Promise<Either<ExpiringStoreFault, string | undefined>>;
  readonly put: (name: string, value: string, milliseconds: number) => Promise<Either<ExpiringStoreFault, void>>;
  /** False: it was not there any longer, and is not now. */
  readonly replace: (name: string, value: string, milliseconds: number) => Promise<Either<ExpiringStoreFault, boolean>>;
  readonly remove: (name: string) => Promise<Either<ExpiringStoreFault, void>>;
  readonly close: () => Promise<void>;
}
