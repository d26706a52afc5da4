/** How much a store holds. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export interface StoreSize {
  readonly bytes: () => Promise<Either<Fault<string>, number>>;
  readonly close: () => Promise<void>;
}
