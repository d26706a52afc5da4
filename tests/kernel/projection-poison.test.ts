import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { openMemoryEventStore } from '../../infra/eventstore/memory';
import type { EventStore } from '../../infra/ports/event-store';
import type { TableView } from '../../infra/ports/view-store';
import { type MemoryViews, openMemoryViews } from '../../infra/views/memory';
import type { Projection } from '../../projections/kernel/projection';
import { type Projector, runProjector } from '../../projections/kernel/run';
import { eventually } from '../support/eventually';
import { hearingLog, quietMetrics } from '../support/quiet';
import { type CounterRow, counterProjection, counterStream, counterTable, recordedNow, tick } from '../support/ticks';

describe('poison event', () => {
  let store: EventStore;
  let views: MemoryViews;
  let isAway = false;
  let running: Projector[];
  const log = hearingLog();
  const table = counterTable('ticks_counters');

  beforeEach(() => {
    isAway = false;
    store = openMemoryEventStore();
    views = openMemoryViews({ isAway: () => isAway });
    running = [];
    log.lines.length = 0;
  });
  afterEach(async () => {
    isAway = false;
    await Promise.all(running.map((projector) => projector.close()));
  });

  const run = (...projections: Projection[]): Projector => {
    const options = { store, log, metrics: quietMetrics, writerOf: () => views.writer, pulseMilliseconds: 20 };
    const projector = runProjector(projections, options);
    running.push(projector);
    return projector;
  };
  const ticksOf = async (id: string, view: TableView<CounterRow> = table, tenant = 'acme') => {
    const found = await views.reader.find(view, tenant, { counterId: id });
    return isRight(found) ? found.right?.ticks : undefined;
  };
  const _reaches = (id: string, ticks: number, view?: TableView<CounterRow>) =>
    eventually(async () => assert.equal(await ticksOf(id, view), ticks));
  const _reachesPosition = (position: bigint, view = table) =>
    eventually(async () => {
      const at = await views.reader.checkpoint(view);
      assert.ok(isRight(at) && at.right !== null && at.right !== undefined && at.right >= position);
    });

  const poison = async (type: string, data: unknown): Promise<void> => {
    const event = { ...recordedNow({ type: 'CounterMade', data: { counterId: 'bad' } }), type, data };
    assert.ok(isRight(await store.append(counterStream('bad'), 'any', [event])));
  };

  for (const [name, type, data] of [
    ['of an unknown type', 'ticks.CounterPainted.v1', {}],
    ['of a version to come', 'ticks.CounterMade.v9', { counterId: 'bad' }],
    ['without its fields', 'ticks.CounterMade.v1', { secretive: 'hush' }],
    ['that is no JSON', 'ticks.CounterMade.v1', 'bytes'],
  ] as const)
    it(`stops a view loudly at an event ${name}, and no other view`, async () => {
      await tick(store, 'c', 2);
      await poison(type, data);
      await tick(store, 'd', 2);
      const quiet = { ...counterProjection(counterTable('ticks_others')), sources: [] };
      const projector = run(counterProjection(table), quiet);
      await eventually(async () => assert.equal(projector.status()[0]?.phase, 'stopped'));
      assert.equal(await ticksOf('c'), 2);
      assert.equal(await ticksOf('d'), undefined);
      const detail = projector.status()[0]?.detail ?? '';
      assert.ok(detail.startsWith(`${type} at ${counterStream('bad')} revision 0: `), detail);
      const [said] = log.lines.filter(({ level }) => level === 'error');
      assert.equal(said?.fields.stream, counterStream('bad'));
      assert.equal(said.fields.revision, 0);
      assert.ok(!JSON.stringify(log.lines).includes('hush'));
      await eventually(async () => assert.equal(projector.status()[1]?.phase, 'live'));
    });
});
