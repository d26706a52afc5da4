/** A recorded rebuild of a big view while commands write and readers read. */
import { isLeft } from 'fp-ts/Either';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { ViewStatusStore } from '../../../../infra/ports/views/view-status';
import type { ViewWriter } from '../../../../infra/ports/views/view-store';
import type { Projection } from '../../../../projections/kernel/projection';
import type { RebuildResult } from '../../../../projections/kernel/rebuild/rebuild';
import { rebuildRecorded } from '../../../../projections/kernel/rebuild/recorded-rebuild';
import type { Loaded } from './concurrent-load';

export interface Stage {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly ledger: ViewStatusStore;
  readonly projection: Projection;
}

export interface Proof extends Loaded {
  readonly rebuilt: RebuildResult;
  readonly milliseconds: number;
}

export const rebuildStage = (stage: Stage, id: string, acceptDifferences = false) => {
  const { ledger, ...around } = stage;
  const request = { ...around, signal: new AbortController().signal, acceptDifferences, progress: () => undefined };
  return rebuildRecorded(request, { ledger, by: 'operator:proof', id });
};

/** `load` is under way. */
export const rebuildUnderLoad = async (stage: Stage, load: () => Promise<Loaded>, id: string): Promise<Proof> => {
  const began = performance.now();
  const rebuilt = await rebuildStage(stage, id);
  const milliseconds = performance.now() - began;
  const loaded = await load();
  if (isLeft(rebuilt)) throw new Error(rebuilt.left.detail);
  return { ...loaded, rebuilt: rebuilt.right, milliseconds };
};
