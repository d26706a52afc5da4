/** Rows that Redis loses or evicts under a running projector: they are built again, and no answer is empty meanwhile. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openRedisReader } from '../../../infra/adapters/redis/views/view-reader';
import { openRedisWriter } from '../../../infra/adapters/redis/views/view-writer';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { createViewPositions, waitUntilVisible } from '../../../read-api/kernel/read-your-writes';
import {
  asPlainView,
  counterKeys,
  counterProjection,
  counterStream,
  newCounterEvent,
  recordTicks,
} from '../../support/domain/counter-context';
import { type DedicatedValkey, startDedicatedValkey } from '../../support/servers/dedicated-valkey';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { ok } from '../views/suite/view-store';

const counterCount = 40;
const ids = Array.from({ length: counterCount }, (_, at) => `c${at}`);

const openView = async (url: string) => {
  const view = counterKeys(`test_lost_${Math.random().toString(36).slice(2, 10)}`);
  const [writer, reader, store] = [openRedisWriter(url), openRedisReader(url), openMemoryEventStore()];
  const projector = runProjector([counterProjection(view)], {
    store,
    log: recordingLog(),
    metrics: noopMetrics,
    writerOf: () => writer,
    pulseMilliseconds: 20,
  });
  for (const id of ids) await recordTicks(store, id, 3);
  const findAll = () =>
    reader.findMany(
      view,
      'acme',
      ids.map((counterId) => ({ counterId })),
    );
  const generation = async () => ok(await writer.open(asPlainView(view))).number;
  const isWhole = () =>
    eventually(async () => {
      assert.deepEqual(
        ok(await findAll()).map((row) => row?.ticks),
        ids.map(() => 3),
      );
      assert.equal(projector.status()[0]?.phase, 'live');
    });
  return {
    view,
    writer,
    reader,
    store,
    findAll,
    generation,
    isWhole,
    keyOf: async (id: string) => `septet:{${view.name}}:${await generation()}:row:["acme","${id}"]`,
    indexOf: async () => `septet:{${view.name}}:${await generation()}:rows`,
    state: `septet:{${view.name}}:state`,
    status: () => projector.status()[0],
    close: async () => {
      await projector.close();
      await Promise.all([writer.close(), reader.close()]);
    },
  };
};
type OpenedView = Awaited<ReturnType<typeof openView>>;

/** Reads until every row is there again; no answer has a gap before. */
const neverEmpty = async ({ findAll, reader, view }: OpenedView): Promise<number> => {
  for (let refused = 0; ; ) {
    const [rows, row] = await Promise.all([findAll(), reader.find(view, 'acme', { counterId: 'c7' })]);
    for (const answer of isRight(rows) ? rows.right : []) assert.equal(answer?.ticks, 3);
    if (isRight(row)) assert.equal(row.right?.ticks, 3);
    if (isRight(rows) && isRight(row)) return refused;
    refused += 1;
    await sleep(5);
  }
};

describe('a view in Redis', function () {
  this.timeout(60_000);
  let server: DedicatedValkey;
  let opened: OpenedView;
  before(async () => {
    server = await startDedicatedValkey();
  });
  after(() => server.stop());
  beforeEach(async () => {
    opened = await openView(server.url);
    await opened.isWhole();
  });
  afterEach(() => opened.close());

  it('that was flushed is built again', async () => {
    await server.admin.flushall();
    assert.ok((await neverEmpty(opened)) > 0);
    await opened.isWhole();
  });

  it('whose server comes back with nothing is built again', async () => {
    await server.kill();
    await server.restart();
    assert.ok((await neverEmpty(opened)) > 0);
    await opened.isWhole();
  });

  it('that lost its state is built again beside what is left, of which nothing stays', async () => {
    const before = await opened.keyOf('c7');
    await server.admin.del(opened.state);
    assert.ok((await neverEmpty(opened)) > 0);
    await eventually(async () => assert.equal(await server.admin.exists(before), 0));
    assert.equal((await server.admin.keys(`septet:{${opened.view.name}}:*:row:*`)).length, counterCount);
    assert.equal((await server.admin.keys(`septet:{${opened.view.name}}:*:rows`)).length, 1);
  });

  it('that lost a row answers for no key of it, until it is built again', async () => {
    const before = await opened.generation();
    await server.admin.del(await opened.keyOf('c7'));
    assert.ok(isLeft(await opened.reader.find(opened.view, 'acme', { counterId: 'c7' })));
    assert.equal(ok(await opened.reader.find(opened.view, 'acme', { counterId: 'c8' }))?.ticks, 3);
    assert.equal(ok(await opened.reader.find(opened.view, 'acme', { counterId: 'never' })), undefined);
    await neverEmpty(opened);
    assert.notEqual(await opened.generation(), before);
  });

  it('that lost its index answers for no missing row, until it is built again', async () => {
    await server.admin.del(await opened.indexOf());
    assert.ok(isLeft(await opened.reader.find(opened.view, 'acme', { counterId: 'never' })));
    await recordTicks(opened.store, 'late', 2);
    await eventually(async () =>
      assert.equal(ok(await opened.reader.find(opened.view, 'acme', { counterId: 'never' })), undefined),
    );
    await opened.isWhole();
    assert.equal(ok(await opened.reader.find(opened.view, 'acme', { counterId: 'late' }))?.ticks, 2);
  });

  it('does not change a row that was lost: it is built again', async () => {
    const before = await opened.generation();
    await server.admin.del(await opened.keyOf('c0'));
    const ticked = newCounterEvent({ type: 'CounterTicked', data: { counterId: 'c0', to: 3 } });
    ok(await opened.store.append(counterStream('c0'), 'any', [ticked]));
    await eventually(async () => assert.notEqual(await opened.generation(), before));
    await opened.isWhole();
  });

  it('waits for a position while it is built, and then has it', async () => {
    const positions = createViewPositions(opened.reader);
    const position = await recordTicks(opened.store, 'late', 2);
    const seen = (signal: AbortSignal) => waitUntilVisible(positions, { view: opened.view, position, signal });
    assert.ok(ok(await seen(AbortSignal.timeout(30_000))) !== null);
    await server.admin.flushall();
    const without = await waitUntilVisible(positions, {
      view: opened.view,
      position: undefined,
      signal: AbortSignal.timeout(30_000),
    });
    if (isLeft(without)) assert.equal(without.left.problem.status, 503);
    assert.ok((ok(await seen(AbortSignal.timeout(30_000))) ?? 0n) >= position);
    assert.equal(ok(await opened.reader.find(opened.view, 'acme', { counterId: 'late' }))?.ticks, 2);
  });

  it('has rows of another tenant neither before nor after', async () => {
    const foreign = async () => ok(await opened.reader.findMany(opened.view, 'other', [{ counterId: 'c7' }]));
    assert.deepEqual(await foreign(), [undefined]);
    await server.admin.flushall();
    await neverEmpty(opened);
    assert.deepEqual(await foreign(), [undefined]);
  });
});

describe('a view in a Redis without room', function () {
  this.timeout(60_000);
  let server: DedicatedValkey;
  let opened: OpenedView;
  beforeEach(async () => {
    server = await startDedicatedValkey();
    opened = await openView(server.url);
    await opened.isWhole();
  });
  afterEach(async () => {
    await opened.close();
    await server.stop();
  });

  const limit = async (policy: string, bytes: number): Promise<void> => {
    await server.admin.config('SET', 'maxmemory-policy', policy);
    await server.admin.config('SET', 'maxmemory', bytes);
  };

  it('that evicts keys answers for none that is gone, and is whole again when there is room', async () => {
    await limit('allkeys-random', 1);
    // Whatever is written evicts.
    await eventually(async () => {
      await server.admin.set('other', 'x').catch(() => undefined);
      assert.match(await server.admin.info('stats'), /evicted_keys:[1-9]/);
    });
    const some = await opened.findAll();
    for (const row of isRight(some) ? some.right : []) assert.equal(row?.ticks, 3);
    await limit('noeviction', 0);
    await neverEmpty(opened);
    await opened.isWhole();
  });

  it('that refuses writes says so, and goes on when there is room', async () => {
    await limit('noeviction', 1);
    await recordTicks(opened.store, 'late', 2);
    await eventually(async () => assert.equal(opened.status()?.detail, 'Redis has no memory left for the view.'));
    assert.equal(ok(await opened.findAll()).length, counterCount);
    await limit('noeviction', 0);
    await eventually(async () =>
      assert.equal(ok(await opened.reader.find(opened.view, 'acme', { counterId: 'late' }))?.ticks, 2),
    );
  });
});

describe('a view in Redis that was made of another log', () => {
  it('begins again, and stays what it is for the log that it was made of', async () => {
    const valkey = await startDedicatedValkey();
    const { url } = valkey;
    const view = asPlainView(counterKeys(`test_log_${Math.random().toString(36).slice(2, 10)}`));
    const writerOf = (log: string) => openRedisWriter(url, async () => right(log));
    const [unmarked, first, second] = [openRedisWriter(url), writerOf('one'), writerOf('two')];
    const before = ok(await unmarked.open(view));
    ok(await unmarked.apply(view, { generation: before.number, after: null, position: 900n, live: true, changes: [] }));
    const open = async (writer: typeof first) => ok(await writer.open(view));
    assert.deepEqual(await open(first), { ...before, position: 900n }, 'of before logs had ids');
    const other = await open(second);
    assert.deepEqual([other.position, other.number > before.number], [null, true]);
    assert.deepEqual(await open(second), other);
    const reader = openRedisReader(url);
    assert.equal(ok(await reader.checkpoint(view)), undefined, 'readers get no answer before it is whole');
    const stale = { generation: before.number, after: 900n, position: 901n, live: true, changes: [] };
    assert.equal(isLeft(await first.apply(view, stale)), true);
    await Promise.all([unmarked.close(), first.close(), second.close(), reader.close(), valkey.stop()]);
  });
});
