/** The videos of a tenant are reconciled from its first upload on. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { Rejection } from '../../kernel/rejection';
import { type VideoReconciliationCounts, type VideoReconciliationEvent, videoReconciliations } from './events';

export type VideoReconciliationCommand =
  | { readonly type: 'BeginReconciliation' }
  | { readonly type: 'RecordReconciliation'; readonly at: Instant; readonly counts: VideoReconciliationCounts };

export interface VideoReconciliationState {
  readonly isBegun: boolean;
  /** Null: never. */
  readonly reconciledAt: Instant | null;
}

const evolve = (state: VideoReconciliationState, { type, data }: VideoReconciliationEvent): VideoReconciliationState =>
  type === 'VideosReconciled' ? { isBegun: true, reconciledAt: data.reconciledAt } : { ...state, isBegun: true };

const decide = (
  command: VideoReconciliationCommand,
  { isBegun }: VideoReconciliationState,
): Either<Rejection<never>, readonly VideoReconciliationEvent[]> => {
  if (command.type === 'BeginReconciliation')
    return right(isBegun ? [] : [{ type: 'VideoReconciliationBegun', data: {} }]);
  const { at: reconciledAt, counts } = command;
  return right([{ type: 'VideosReconciled', data: { reconciledAt, counts } }]);
};

export const videoReconciliation: Decider<
  VideoReconciliationCommand,
  VideoReconciliationState,
  VideoReconciliationEvent,
  never
> = { family: videoReconciliations, initial: { isBegun: false, reconciledAt: null }, evolve, decide };
