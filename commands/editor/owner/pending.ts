/** Batches on their way into the log. */
import { type Either, left } from 'fp-ts/Either';
import type { OperationId } from '../../../domain/editor/ids';
import type { Outcome } from '../../../domain/editor/outcome';
import { fault } from '../../../domain/kernel/rejection';
import type { Earlier } from './put-back';
import type { BatchRefusal, Committed, Submission, Unavailable } from './types';
import { type Unit, unitsOf } from './units';

export interface Pending {
  /** In the order in which they came. */
  readonly number: number;
  readonly submission: Submission;
  readonly units: readonly Unit[];
  /** How many of them are settled. */
  done: number;
  readonly results: Outcome[];
  /** Scenes for operations that put an earlier version back; none where there is no such version. */
  readonly earlier: ReadonlyMap<OperationId, Earlier>;
  readonly answer: (end: Either<BatchRefusal, Committed>) => void;
}

export const pendingOf = (
  number: number,
  submission: Submission,
  earlier: Pending['earlier'],
): { readonly pending: Pending; readonly answered: Promise<Either<BatchRefusal, Committed>> } => {
  let answer: Pending['answer'] = () => undefined;
  const answered = new Promise<Either<BatchRefusal, Committed>>((resolve) => {
    answer = resolve;
  });
  const units = unitsOf(submission.operations);
  return { pending: { number, submission, units, done: 0, results: [], earlier, answer }, answered };
};

export const isDone = ({ units, done }: Pending): boolean => done >= units.length;

/** Nothing is said of what became of it: sent again, it is told. */
export const letGo = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));
