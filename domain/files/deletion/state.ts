/** How far the deletion of a file is, for decisions and for reads, and its fold. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { type DeletionCause, type DeletionEvent, type DeletionStep, deletionSteps } from './events';

interface CompletedStep {
  readonly step: DeletionStep;
  readonly removed: number;
  readonly left: number;
}

interface DelayedStep {
  readonly step: DeletionStep;
  readonly reason: string;
  readonly attempt: number;
}

export interface BegunDeletion {
  readonly kind: 'deleting' | 'deleted';
  readonly ownerId: PrincipalId;
  readonly cause: DeletionCause;
  readonly begunAt: Instant;
  readonly deletedAt: Instant | undefined;
  readonly completed: readonly CompletedStep[];
  /** Of the step that is next; undefined where it was not delayed. */
  readonly delayed: DelayedStep | undefined;
}
export type DeletionState = { readonly kind: 'none' } | BegunDeletion;

export const noDeletion: DeletionState = { kind: 'none' };

/** Undefined once all are completed. */
export const nextDeletionStep = ({ completed }: BegunDeletion): DeletionStep | undefined =>
  deletionSteps[completed.length];

export const evolve = (state: DeletionState, { type, data }: DeletionEvent): DeletionState => {
  if (type === 'DeletionBegun') {
    const { ownerId, cause, begunAt } = data;
    return { kind: 'deleting', ownerId, cause, begunAt, deletedAt: undefined, completed: [], delayed: undefined };
  }
  if (state.kind === 'none') return state;
  switch (type) {
    case 'DeletionStepCompleted': {
      const { step, removed, left } = data;
      return { ...state, completed: [...state.completed, { step, removed, left }], delayed: undefined };
    }
    case 'DeletionStepDelayed': {
      const { step, reason, attempt } = data;
      return { ...state, delayed: { step, reason, attempt } };
    }
    case 'FileDeleted':
      return { ...state, kind: 'deleted', deletedAt: data.deletedAt };
    case 'RemainsRemoved':
      return state;
  }
};
