/** Failures of Redis as faults. */
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { AuthEventFault } from '../../../ports/identity/auth-events';

export const attempt = async <A>(work: () => Promise<A>): Promise<Either<AuthEventFault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('service-unavailable', 'Redis, which has authorization decisions, does not answer.'));
  }
};
