/** Batches that wait for their append, in order of arrival. */
import { type Either, left } from 'fp-ts/Either';
import type { OperationId } from '../../../../domain/editor/ids';
import type { Outcome } from '../../../../domain/editor/outcome';
import { type AtomicGroup, groupAtomic } from '../../../../domain/editor/reducer/atomic-groups';
import { fault } from '../../../../domain/kernel/rejection';
import type { BatchRefusal, Submission, SubmitResult, Unavailable } from '../document-handle';
import type { RestoredScene } from './restored-scene';

export type SubmitOutcome = Either<BatchRefusal, SubmitResult>;

/** Scenes of a batch's restores, by operation; none for an unknown version. */
export type RestoredScenes = ReadonlyMap<OperationId, RestoredScene>;

export interface QueuedBatch {
  /** Order of arrival. */
  readonly number: number;
  readonly submission: Submission;
  readonly groups: readonly AtomicGroup[];
  /** Count of processed groups. */
  processed: number;
  readonly results: Outcome[];
  readonly restoredScenes: RestoredScenes;
  readonly answer: (outcome: SubmitOutcome) => void;
}

export const isProcessed = ({ groups, processed }: QueuedBatch): boolean => processed >= groups.length;

export interface BatchQueue {
  readonly length: () => number;
  readonly first: () => QueuedBatch | undefined;
  readonly all: () => readonly QueuedBatch[];
  /** Resolves with the batch's answer. */
  readonly add: (batch: Omit<QueuedBatch, 'groups' | 'processed' | 'results' | 'answer'>) => Promise<SubmitOutcome>;
  /** Does not answer it. False if it was not queued. */
  readonly remove: (batch: QueuedBatch) => boolean;
  /** Empties the queue. */
  readonly answerAll: (outcome: SubmitOutcome) => void;
}

export const createBatchQueue = (): BatchQueue => {
  const batches: QueuedBatch[] = [];
  return {
    length: () => batches.length,
    first: () => batches[0],
    all: () => [...batches],
    add: (batch) =>
      new Promise((answer) => {
        batches.push({ ...batch, groups: groupAtomic(batch.submission.operations), processed: 0, results: [], answer });
      }),
    remove: (batch) => {
      const index = batches.indexOf(batch);
      if (index >= 0) batches.splice(index, 1);
      return index >= 0;
    },
    answerAll: (outcome) => {
      for (const { answer } of batches.splice(0)) answer(outcome);
    },
  };
};

/** The outcome is not reported; a retry of the same batch gets it. */
export const retryLater = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

/** Refusal of a document that is unloaded or closed here. */
export const takenOver = (): Either<Unavailable, never> =>
  retryLater('The document is being taken over; send it again.');
