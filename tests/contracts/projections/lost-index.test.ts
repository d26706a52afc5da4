/** Indexes that are deleted, emptied or damaged under a running projector: they are built again, and no answer is empty meanwhile. */
import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@elastic/elasticsearch';
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { openIndexQueries } from '../../../infra/adapters/elastic/queries/index-queries';
import { openElasticReader } from '../../../infra/adapters/elastic/view-reader';
import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { startElasticsearch } from '../../../infra/operate/launch/servers/elasticsearch/elasticsearch';
import type { LocalServer } from '../../../infra/operate/launch/servers/local-server';
import type { IndexView, View } from '../../../infra/ports/views/view-store';
import { runProjector } from '../../../projections/kernel/projector/projector';
import {
  type CounterRow,
  counterIndex,
  counterIndexProjection,
  recordTicks,
} from '../../support/domain/counter-context';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { sized } from '../../support/runner/size';
import { elasticsearchForTests, freshDatabase, toolsDirectory } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { ok } from '../views/suite/view-store';

interface OpenOptions {
  readonly url: string;
  readonly shards?: number;
}

const counterCount = 40;
const ids = Array.from({ length: counterCount }, (_, at) => `c${at}`);

const openView = async ({ url, shards = 1 }: OpenOptions) => {
  const postgresUrl = await freshDatabase();
  const reading = ok(await migrate({ url: postgresUrl, readerPassword: 'only for reading' }));
  const view: IndexView<CounterRow> = {
    ...counterIndex(`test_lost_${Math.random().toString(36).slice(2, 10)}`),
    settings: { shards },
  };
  const writer = openElasticWriter({ url, postgresUrl, damagedMilliseconds: 1_000 });
  const reader = openElasticReader({ url, postgresUrl: reading });
  const queries = openIndexQueries({ url });
  const client = new Client({ node: url });
  const store = openMemoryEventStore();
  const run = () =>
    runProjector([counterIndexProjection(view)], {
      store,
      log: recordingLog(),
      metrics: noopMetrics,
      writerOf: () => writer,
      pulseMilliseconds: 20,
    });
  let projector = run();
  for (const id of ids) await recordTicks(store, id, 3);
  const page = () =>
    reader.page(view, 'acme', { where: {}, order: [{ field: 'counterId', direction: 'asc' }], limit: 100 });
  const search = () => queries.search(view, 'acme', { limit: 100 });
  const indexOf = async () => `${view.name}_v${ok(await writer.open(view as unknown as View)).number}`;
  return {
    view,
    writer,
    queries,
    client,
    store,
    stopProjector: () => projector.close(),
    startProjector: () => {
      projector = run();
    },
    page,
    search,
    indexOf,
    find: () => reader.find(view, 'acme', { counterId: 'c7' }),
    findMany: () => reader.findMany(view, 'acme', [{ counterId: 'c7' }]),
    isWhole: () =>
      eventually(async () => {
        assert.equal(ok(await page()).length, counterCount);
        assert.equal(projector.status()[0]?.phase, 'live');
      }),
    close: async () => {
      await projector.close();
      await Promise.all([writer.close(), reader.close(), queries.close(), client.close()]);
    },
  };
};
type OpenedView = Awaited<ReturnType<typeof openView>>;

/** Reads in every way until all answers are whole again; none is empty or has gaps before. */
const neverEmpty = async (opened: OpenedView): Promise<number> => {
  let refused = 0;
  const count = (answer: Either<unknown, unknown>, rows: (value: never) => number, whole: number): boolean => {
    if (isLeft(answer)) {
      refused += 1;
      return false;
    }
    assert.equal(rows(answer.right as never), whole);
    return true;
  };
  for (;;) {
    const [row, rows, page, found] = await Promise.all([
      opened.find(),
      opened.findMany(),
      opened.page(),
      opened.search(),
    ]);
    const answers = [
      count(row, (value: CounterRow | undefined) => value?.ticks ?? 0, 3),
      count(rows, (value: readonly (CounterRow | undefined)[]) => value[0]?.ticks ?? 0, 3),
      count(page, (value: readonly CounterRow[]) => value.length, counterCount),
      count(found, (value: { readonly hits: readonly unknown[] }) => value.hits.length, counterCount),
    ];
    if (answers.every(Boolean)) return refused;
    await sleep(20);
  }
};

/** Everything that a delete by query would take. */
const emptyIndex = async (client: Client, index: string): Promise<void> => {
  await client.indices.refresh({ index });
  const { hits } = await client.search({ index, size: 1_000 });
  // The marker first: afterwards no missing row is an answer.
  const documents = hits.hits.map(({ _id }) => _id).toSorted((one) => (one === 'septet-marker' ? -1 : 0));
  await client.bulk({ operations: documents.map((_id) => ({ delete: { _index: index, _id } })), refresh: true });
};

describe('an index that is lost', function () {
  this.timeout(120_000);

  describe('while its server runs', () => {
    let opened: OpenedView;
    beforeEach(async () => {
      opened = await openView({ url: (await elasticsearchForTests()).url });
      await opened.isWhole();
    });
    afterEach(() => opened.close());

    it('because it was deleted, is built again', async () => {
      const before = await opened.indexOf();
      await opened.client.indices.delete({ index: before });
      assert.ok((await neverEmpty(opened)) > 0);
      assert.notEqual(await opened.indexOf(), before);
      await opened.isWhole();
    });

    it('because it was emptied, is built again', async () => {
      const before = await opened.indexOf();
      await emptyIndex(opened.client, before);
      assert.ok((await neverEmpty(opened)) > 0);
      assert.notEqual(await opened.indexOf(), before);
    });

    it('is built again at the next write, and is not created by it', async () => {
      const before = await opened.indexOf();
      await opened.client.indices.delete({ index: before });
      await recordTicks(opened.store, 'late', 2, 'other');
      await neverEmpty(opened);
      assert.equal(await opened.client.indices.exists({ index: before }), false);
    });

    it('is told from one of a release without markers, which goes on', async () => {
      const index = await opened.indexOf();
      await opened.client.delete({ index, id: 'septet-marker' });
      await opened.client.indices.deleteAlias({ index, name: `${index}_writes` });
      await opened.client.indices.putMapping({ index, _meta: {} });
      assert.ok(isRight(await opened.writer.verify(opened.view as unknown as View, Number(index.split('_v').at(-1)))));
      await recordTicks(opened.store, 'c40', 3);
      await eventually(async () => assert.equal(ok(await opened.page()).length, counterCount + 1));
      assert.equal(await opened.indexOf(), index);
      assert.equal((await opened.client.get({ index, id: 'septet-marker' })).found, true);
    });
  });

  // Each starts Elasticsearch again.
  if (sized({ short: true, long: false })) return;

  describe('with its server', () => {
    const { path: directory, remove } = temporaryDirectory('lost-index');
    let server: LocalServer;
    let opened: OpenedView;
    const start = async (port?: number): Promise<LocalServer> => {
      const place = { directory, tools: toolsDirectory, progress: () => undefined };
      return ok(await startElasticsearch(port === undefined ? place : { ...place, port }));
    };
    const kill = async (): Promise<number> => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      return Number(new URL(server.url).port);
    };
    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      opened = await openView({ url: server.url, shards: 3 });
      await opened.isWhole();
    });
    afterEach(() => opened.close());
    after(async () => {
      await server.stop();
      remove();
    });

    it('loses nothing that it had answered for, when the server is killed', async () => {
      const index = await opened.indexOf();
      const late = Array.from({ length: 20 }, (_, at) => `late${at}`);
      for (const id of late) await recordTicks(opened.store, id, 2, 'other');
      const port = await kill();
      for (const id of late) await recordTicks(opened.store, `${id}-more`, 2, 'other');
      server = await start(port);
      await neverEmpty(opened);
      const all = { kind: 'prefix', field: 'counterId', text: 'late' } as const;
      await eventually(async () => {
        const answer = ok(await opened.queries.search(opened.view, 'other', { limit: 0, filter: all, countUpTo: 100 }));
        assert.equal(answer.total?.count, 40);
      });
      assert.equal(await opened.indexOf(), index);
    });

    it('is built again when the server comes back with nothing', async () => {
      const port = await kill();
      rmSync(join(directory, 'data', 'data'), { recursive: true });
      server = await start(port);
      assert.ok((await neverEmpty(opened)) > 0);
      await opened.isWhole();
    });

    // Elasticsearch waits half a minute before it gives the shard up.
    it('gives a part of the answer with the shard that failed, and is built again', async () => {
      const index = await opened.indexOf();
      await opened.client.indices.flush({ index });
      const settings = await opened.client.indices.getSettings({ index });
      const uuid = settings[index]?.settings?.index?.uuid ?? '';
      await opened.stopProjector();
      const port = await kill();
      damage(join(directory, 'data', 'data', 'indices', uuid, '1', 'index'));
      server = await start(port);
      const partial = await opened.queries.search(opened.view, 'acme', { limit: 100, acceptPartial: true });
      const answer = ok(partial);
      assert.equal(answer.isPartial, true);
      assert.deepEqual(answer.shards, {
        total: 3,
        failed: [{ shard: 1, reason: 'no_shard_available_action_exception' }],
      });
      assert.ok(answer.hits.length > 0 && answer.hits.length < counterCount);
      assert.ok(isLeft(await opened.search()));
      opened.startProjector();
      assert.ok((await neverEmpty(opened)) > 0);
      const whole = ok(await opened.queries.search(opened.view, 'acme', { limit: 100, acceptPartial: true }));
      assert.deepEqual([whole.isPartial, whole.hits.length], [false, counterCount]);
    });
  });
});

/** Overwrites the middle of the commit that a shard is opened from. */
const damage = (shard: string): void => {
  const commit = readdirSync(shard)
    .filter((name) => name.startsWith('segments_'))
    .map((name) => join(shard, name));
  for (const path of commit) {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.from('damaged'), 0, 7, Math.floor(statSync(path).size / 2));
    closeSync(file);
  }
};
