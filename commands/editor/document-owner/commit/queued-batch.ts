/** A client's batch that waits for its append. */
import { type Either, left } from 'fp-ts/Either';
import type { OperationId } from '../../../../domain/editor/ids';
import type { Outcome } from '../../../../domain/editor/outcome';
import { type AtomicGroup, groupAtomic } from '../../../../domain/editor/reducer/atomic-groups';
import { fault } from '../../../../domain/kernel/rejection';
import type { BatchRefusal, Submission, SubmitResult, Unavailable } from '../document-handle';
import type { RestoredScene } from './restored-scene';

export interface QueuedBatch {
  /** Order of arrival. */
  readonly number: number;
  readonly submission: Submission;
  readonly groups: readonly AtomicGroup[];
  /** Count of processed groups. */
  processed: number;
  readonly results: Outcome[];
  /** Scenes of the batch's restores; none for an unknown version. */
  readonly restoredScenes: ReadonlyMap<OperationId, RestoredScene>;
  readonly answer: (end: Either<BatchRefusal, SubmitResult>) => void;
}

export const createQueuedBatch = (
  number: number,
  submission: Submission,
  restoredScenes: QueuedBatch['restoredScenes'],
): { readonly pending: QueuedBatch; readonly answered: Promise<Either<BatchRefusal, SubmitResult>> } => {
  let answer: QueuedBatch['answer'] = () => undefined;
  const answered = new Promise<Either<BatchRefusal, SubmitResult>>((resolve) => {
    answer = resolve;
  });
  const groups = groupAtomic(submission.operations);
  return {
    pending: { number, submission, groups, processed: 0, results: [], restoredScenes, answer },
    answered,
  };
};

export const isProcessed = ({ groups, processed }: QueuedBatch): boolean => processed >= groups.length;

/** The outcome is not reported; a retry of the same batch gets it. */
export const retryLater = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));
