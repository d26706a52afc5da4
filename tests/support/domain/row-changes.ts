/** Collected changes of projections whose rows need no content. */
import type { Batch } from '../../../infra/ports/views/view-store';
import { isContent } from '../../../projections/kernel/content';
import type { CollectedChange } from '../../../projections/kernel/projector/view-batch';

export const rowChanges = (collected: readonly CollectedChange[]): Batch['changes'] =>
  collected.map(({ position, change }) => {
    if (isContent(change)) throw new Error('content is loaded by a projector');
    return { position, change };
  });
