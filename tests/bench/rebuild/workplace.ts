/** What the parts of the bench of rebuilds work on, and a view that is up to date. */
import type { EventStore } from '../../../infra/ports/event-store';
import type { ViewStatusStore } from '../../../infra/ports/views/view-status';
import type { ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { type Projector, runProjector } from '../../../projections/kernel/projector/projector';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

export interface Place {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly ledger: ViewStatusStore;
  /** URLs of the log, of Postgres, and of Postgres for readers only. */
  readonly log: string;
  readonly postgres: string;
  readonly reading: string;
}

export const must = <A>(either: { readonly _tag: 'Right'; readonly right: A } | { readonly _tag: 'Left' }): A => {
  if (either._tag === 'Left') throw new Error(JSON.stringify(either));
  return either.right;
};

/** Resolves when the view has all of the log; goes on keeping it so. */
export const keepLive = async ({ store, writer }: Place, projection: Projection): Promise<Projector> => {
  const options = { store, log: recordingLog(), metrics: noopMetrics, writerOf: () => writer };
  const projector = runProjector([projection], options);
  while (projector.status()[0]?.phase !== 'live') await new Promise((resolve) => setTimeout(resolve, 20));
  return projector;
};

export const readEverything = async ({ store }: Pick<Place, 'store'>): Promise<void> => {
  for await (const _ of store.readAll({ after: null }));
};
