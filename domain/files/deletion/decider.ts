/** A deletion completes its steps in order, each once and with nothing left; the last one makes the file deleted. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { FileId } from '../ids';
import { type DeletionCause, type DeletionEvent, type DeletionStep, deletionSteps, deletions } from './events';
import { type BegunDeletion, type DeletionState, evolve, nextDeletionStep, noDeletion } from './state';

interface OfFile {
  readonly fileId: FileId;
}

export type DeletionCommand =
  | (OfFile & {
      readonly type: 'BeginDeletion';
      readonly ownerId: PrincipalId;
      readonly cause: DeletionCause;
      readonly at: Instant;
    })
  | (OfFile & {
      readonly type: 'CompleteDeletionStep';
      readonly step: DeletionStep;
      readonly removed: number;
      /** As counted after the removal. */
      readonly left: number;
      readonly at: Instant;
    })
  /** Recorded where it says something new, and else of every attempt that doubles their number: it may be tried for months. */
  | (OfFile & {
      readonly type: 'DelayDeletionStep';
      readonly step: DeletionStep;
      readonly reason: string;
      readonly attempt: number;
    })
  | (OfFile & { readonly type: 'RecordRemains'; readonly removed: number });

type DeletionRejection = 'deletion-not-begun' | 'deletion-leaves-remains';
type Decision = Either<Rejection<DeletionRejection>, readonly DeletionEvent[]>;
type CommandOf<Type extends DeletionCommand['type']> = Extract<DeletionCommand, { type: Type }>;

/** A result of a step that is completed, or not yet due, has no effect. */
const complete = (
  { fileId, step, removed, left, at }: CommandOf<'CompleteDeletionStep'>,
  state: BegunDeletion,
): Decision => {
  if (nextDeletionStep(state) !== step) return right([]);
  if (left > 0) return reject('deletion-leaves-remains', `Of the step ${step}, ${left} are left.`);
  const completed: DeletionEvent = { type: 'DeletionStepCompleted', data: { fileId, step, removed, left } };
  const isLast = step === deletionSteps.at(-1);
  return right(isLast ? [completed, { type: 'FileDeleted', data: { fileId, deletedAt: at } }] : [completed]);
};

const delay = ({ fileId, step, reason, attempt }: CommandOf<'DelayDeletionStep'>, state: BegunDeletion): Decision => {
  const { delayed } = state;
  const isNew = delayed === undefined || delayed.reason !== reason || attempt >= 2 * delayed.attempt;
  return right(
    isNew && nextDeletionStep(state) === step
      ? [{ type: 'DeletionStepDelayed', data: { fileId, step, reason, attempt } }]
      : [],
  );
};

const decide = (command: DeletionCommand, state: DeletionState): Decision => {
  if (command.type === 'BeginDeletion') {
    const { fileId, ownerId, cause, at } = command;
    const begun: DeletionEvent = { type: 'DeletionBegun', data: { fileId, ownerId, cause, begunAt: at } };
    return right(state.kind === 'none' ? [begun] : []);
  }
  if (state.kind === 'none') return reject('deletion-not-begun', 'The file is not being deleted.');
  switch (command.type) {
    case 'CompleteDeletionStep':
      return complete(command, state);
    case 'DelayDeletionStep':
      return delay(command, state);
    case 'RecordRemains': {
      const { fileId, removed } = command;
      return right(removed > 0 ? [{ type: 'RemainsRemoved', data: { fileId, removed } }] : []);
    }
  }
};

export const deletion: Decider<DeletionCommand, DeletionState, DeletionEvent, DeletionRejection> = {
  family: deletions,
  initial: noDeletion,
  evolve,
  decide,
};
