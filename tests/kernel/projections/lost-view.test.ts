/**
 * A view whose store lost its rows: it is built again at the next start, at the next write, while nothing is written, or when a rebuild
 * meets it.
 */
import assert from 'node:assert/strict';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { ViewWriter } from '../../../infra/ports/views/view-store';
import { type Projector, runProjector } from '../../../projections/kernel/projector/projector';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { counterProjection, counterTable, recordTicks } from '../../support/domain/counter-context';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const table = counterTable('ticks_lost');
const projection = counterProjection(table);

/** Loses a generation: what was written to it, and what is written on. */
const forgetful = () => {
  const { writer, reader } = openMemoryViews();
  const gone = new Set<number>();
  const lost = left(fault('view-lost', 'The rows are gone.'));
  let opened = 0;
  const losing: ViewWriter = {
    ...writer,
    open: (view) => {
      opened += 1;
      return writer.open(view);
    },
    apply: async (view, batch) => (gone.has(batch.generation) ? lost : writer.apply(view, batch)),
    verify: async (view, generation) => (gone.has(generation) ? lost : writer.verify(view, generation)),
    digest: async (view, generation) =>
      gone.has(generation) ? left(fault('view-store-unavailable', 'It is gone.')) : writer.digest(view, generation),
  };
  const active = async (): Promise<number> => {
    const opened = await writer.open(projection.view);
    return isRight(opened) ? opened.right.number : assert.fail(opened.left.detail);
  };
  return { writer: losing, reader, active, opened: () => opened, lose: async () => void gone.add(await active()) };
};

describe('a view whose rows are lost', () => {
  let store: ReturnType<typeof openMemoryEventStore>;
  let views: ReturnType<typeof forgetful>;
  let running: Projector[];
  beforeEach(() => {
    store = openMemoryEventStore();
    views = forgetful();
    running = [];
  });
  afterEach(() => Promise.all(running.map((projector) => projector.close())));

  const run = (): Projector => {
    const options = { store, log: recordingLog(), metrics: noopMetrics, pulseMilliseconds: 20 };
    const projector = runProjector([projection], { ...options, writerOf: () => views.writer });
    running.push(projector);
    return projector;
  };
  const reaches = (id: string, ticks: number) =>
    eventually(async () => {
      const found = await views.reader.find(table, 'acme', { counterId: id });
      assert.equal(isRight(found) && found.right?.ticks, ticks);
    });

  it('is built again at the next start', async () => {
    await recordTicks(store, 'a', 3);
    const first = run();
    await reaches('a', 3);
    await first.close();
    const before = await views.active();
    await views.lose();
    const projector = run();
    await eventually(async () => assert.notEqual(await views.active(), before));
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'live'));
    await reaches('a', 3);
  });

  it('is built again at the next write, which nothing is lost of', async () => {
    await recordTicks(store, 'a', 3);
    run();
    await reaches('a', 3);
    const before = await views.active();
    await views.lose();
    await recordTicks(store, 'b', 2);
    await reaches('b', 2);
    await reaches('a', 3);
    assert.notEqual(await views.active(), before);
  });

  it('is built again while nothing is written', async () => {
    await recordTicks(store, 'a', 3);
    run();
    await reaches('a', 3);
    const before = await views.active();
    await views.lose();
    await eventually(async () => assert.notEqual(await views.active(), before));
    await reaches('a', 3);
  });

  it('is followed in another generation when a process switched to it while nothing is written', async () => {
    await recordTicks(store, 'a', 3);
    const projector = run();
    await reaches('a', 3);
    const before = await views.active();
    const { signal } = new AbortController();
    const work = { store, writer: views.writer, signal, projection, acceptDifferences: false };
    const rebuilt = await rebuild({ ...work, progress: () => undefined });
    assert.ok(isRight(rebuilt));
    assert.notEqual(await views.active(), before);
    // The next write would find it out as well; here none is made.
    const opened = views.opened();
    await eventually(async () => assert.ok(views.opened() > opened));
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'live'));
  });

  it('is rebuilt on demand without a comparison', async () => {
    await recordTicks(store, 'a', 3);
    const first = run();
    await reaches('a', 3);
    await first.close();
    await views.lose();
    const { signal } = new AbortController();
    const work = { store, writer: views.writer, signal, projection, acceptDifferences: false };
    const rebuilt = await rebuild({ ...work, progress: () => undefined });
    assert.ok(isRight(rebuilt));
    assert.equal(rebuilt.right.digests, undefined);
    await reaches('a', 3);
  });

  it('is given up by a rebuild whose own copy is lost', async () => {
    await recordTicks(store, 'a', 3);
    const first = run();
    await reaches('a', 3);
    await first.close();
    const { signal } = new AbortController();
    const writer: ViewWriter = {
      ...views.writer,
      apply: async () => left(fault('view-lost', 'The rows are gone.')),
    };
    const work = { store, writer, signal, projection, acceptDifferences: false };
    const rebuilt = await rebuild({ ...work, progress: () => undefined });
    assert.ok(isLeft(rebuilt) && rebuilt.left.code === 'view-lost');
    await reaches('a', 3);
  });
});
