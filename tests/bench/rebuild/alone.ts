/** Where the time of a rebuild goes: reading, then making changes of what was read, then writing them. */

import { mergeRowChanges } from '../../../infra/adapters/views/merge-row-changes';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { Projection } from '../../../projections/kernel/projection';
import { collectAllChanges, maxBatchEvents } from '../../../projections/kernel/projector/view-batch';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { fill } from '../../contracts/projections/rebuild/concurrent-load';
import { counterHistory, counterProjection, counterTable } from '../../support/domain/counter-context';
import { rowChanges } from '../../support/domain/row-changes';
import { rate, report } from '../measure';
import { keepLive, must, type Place, readEverything } from './workplace';

const events = Number(process.env.REBUILD_EVENTS ?? 100_000);

const foldEverything = async ({ store }: Place, projection: Projection): Promise<void> => {
  let batch: StoredEvent[] = [];
  const fold = (): void => {
    mergeRowChanges(projection.view, rowChanges(collectAllChanges(projection, batch).changes));
    batch = [];
  };
  for await (const event of store.readAll({ after: null, filter: { streams: ['ticks.counter-'] } })) {
    batch.push(event);
    if (batch.length === maxBatchEvents) fold();
  }
  fold();
};

const rebuildIt = async ({ store, writer }: Place, projection: Projection): Promise<void> => {
  const { signal } = new AbortController();
  must(await rebuild({ store, writer, projection, signal, acceptDifferences: false, progress: () => undefined }));
};

/** The median of three: the first also warms up. */
const median = async (task: () => Promise<void>): Promise<number> => {
  const rates: number[] = [];
  for (let round = 0; round < 3; round += 1) rates.push(await rate(events, task));
  return rates.toSorted((one, other) => one - other)[1] as number;
};

export const alone = async (place: Place): Promise<void> => {
  await fill(place.store, events);
  const baseline = await median(() => readEverything(place));
  const views = {
    few: counterProjection(counterTable('bench_counters')),
    rowPerEvent: counterHistory('bench_history'),
  };
  report({
    name: 'rebuild.folded',
    value: await median(() => foldEverything(place, views.few)),
    unit: 'events/s',
    baseline,
  });
  for (const [name, projection] of Object.entries(views)) {
    const projector = await keepLive(place, projection);
    await projector.close();
    const value = await median(() => rebuildIt(place, projection));
    report({ name: `rebuild.alone.${name}`, value, unit: 'events/s', baseline });
  }
};
