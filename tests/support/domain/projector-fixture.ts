/** Projectors over an in-memory log and view store, created for each test and closed after it. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { type MemoryViews, openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { EventStore } from '../../../infra/ports/event-store';
import type { TableView } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { type Projector, runProjector } from '../../../projections/kernel/projector/projector';
import { eventually } from '../waiting/eventually';
import { noopMetrics, recordingLog } from '../waiting/recording-log';
import { type CounterRow, counterTable } from './counter-context';

interface Stage {
  store: EventStore;
  views: MemoryViews;
  /** True while the view store is to be unreachable. */
  isAway: boolean;
  running: Projector[];
}

/** Registers its hooks with the describe that calls it. */
export const useProjectors = () => {
  const log = recordingLog();
  const table = counterTable('ticks_counters');
  const stage = { isAway: false } as Stage;
  beforeEach(() => {
    stage.isAway = false;
    stage.store = openMemoryEventStore();
    stage.views = openMemoryViews({ isAway: () => stage.isAway });
    stage.running = [];
    log.lines.length = 0;
  });
  afterEach(async () => {
    stage.isAway = false;
    await Promise.all(stage.running.map((projector) => projector.close()));
  });
  const run = (...projections: Projection[]): Projector => {
    const { store, views, running } = stage;
    const options = { store, log, metrics: noopMetrics, writerOf: () => views.writer, pulseMilliseconds: 20 };
    const projector = runProjector(projections, options);
    running.push(projector);
    return projector;
  };
  const ticksOf = async (id: string, view: TableView<CounterRow> = table, tenant = 'acme') => {
    const found = await stage.views.reader.find(view, tenant, { counterId: id });
    return isRight(found) ? found.right?.ticks : undefined;
  };
  const reaches = (id: string, ticks: number, view?: TableView<CounterRow>) =>
    eventually(async () => assert.equal(await ticksOf(id, view), ticks));
  const reachesPosition = (position: bigint, view = table) =>
    eventually(async () => {
      const at = await stage.views.reader.checkpoint(view);
      assert.ok(isRight(at) && at.right !== null && at.right !== undefined && at.right >= position);
    });
  return { stage, log, table, run, ticksOf, reaches, reachesPosition };
};
