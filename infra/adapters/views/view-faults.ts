/** Faults that every view store returns. */
import { type Either, left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type {
  CheckpointMoved,
  RebuildInProgress,
  ViewFault,
  ViewLost,
  ViewRefused,
  WritesPaused,
} from '../../ports/views/view-store';

export const unavailable = (detail: string): Either<ViewFault, never> => left(fault('view-store-unavailable', detail));

export const checkpointMoved = (): Either<CheckpointMoved, never> =>
  left(fault('checkpoint-moved', 'The checkpoint is not where this batch continues from.'));

export const writesPaused = (): Either<WritesPaused, never> =>
  left(fault('view-held', 'A rebuild compares this view right now.'));

export const rebuildInProgress = (): Either<RebuildInProgress, never> =>
  left(fault('view-building', 'Another rebuild of this view is under way.'));

export const lost = (detail: string): Either<ViewLost, never> => left(fault('view-lost', detail));

export const refused = (detail: string): Either<ViewRefused, never> => left(fault('view-refused', detail));
