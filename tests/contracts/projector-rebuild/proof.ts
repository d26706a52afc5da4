/** A recorded rebuild of a big view while commands write and readers read. */
import { isLeft } from 'fp-ts/Either';
import type { EventStore } from '../../../infra/ports/event-store';
import type { ViewLedger } from '../../../infra/ports/view-ledger';
import type { ViewWriter } from '../../../infra/ports/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import type { Rebuilt } from '../../../projections/kernel/rebuild-work';
import { rebuildRecorded } from '../../../projections/kernel/recorded-rebuild';
import type { Loaded } from './load';

export interface Stage {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly ledger: ViewLedger;
  readonly projection: Projection;
}

export interface Proof extends Loaded {
  readonly rebuilt: Rebuilt;
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
