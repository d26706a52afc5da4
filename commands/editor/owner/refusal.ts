/** Why a whole batch is not looked at. */
import { type Either, left } from 'fp-ts/Either';
import { isForgotten } from './known-clients';
import type { Owned } from './owned';
import type { Pending } from './pending';
import type { BatchRefusal } from './types';

export const refusalOf = (owned: Owned, { submission, done }: Pending): Either<BatchRefusal, never> | undefined => {
  const { clientId, principalId } = submission;
  const seat = owned.seats.of(clientId);
  if (seat !== undefined && seat.principalId !== principalId)
    return left({ kind: 'rejection', code: 'client-id-taken', detail: 'The client is somebody else’s.' });
  if (seat === undefined && isForgotten(owned, { place: owned.place, principalId }, clientId))
    return left({ kind: 'rejection', code: 'client-id-taken', detail: 'The client was forgotten; use another id.' });
  const expectedClientSeq = (seat?.lastClientSeq ?? 0) + 1;
  if (done > 0 || (submission.operations[0]?.clientSeq ?? 1) <= expectedClientSeq) return undefined;
  const detail = `The client’s next operation is number ${expectedClientSeq}.`;
  return left({ kind: 'rejection', code: 'client-seq-gap', detail, expectedClientSeq });
};
