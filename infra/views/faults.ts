/** What every view store answers when it cannot do what is asked. */
import { type Either, left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { CheckpointMoved, ViewBuilding, ViewFault, ViewHeld, ViewRefused } from '../ports/view-store';

export const unavailable = (detail: string): Either<ViewFault, never> => left(fault('view-store-unavailable', detail));

export const moved = (): Either<CheckpointMoved, never> =>
  left(fault('checkpoint-moved', 'The checkpoint is not where this batch continues from.'));

export const held = (): Either<ViewHeld, never> => left(fault('view-held', 'A rebuild compares this view right now.'));

export const building = (): Either<ViewBuilding, never> =>
  left(fault('view-building', 'Another rebuild of this view is under way.'));

export const refused = (detail: string): Either<ViewRefused, never> => left(fault('view-refused', detail));
