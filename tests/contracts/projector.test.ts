/** The projector over the real log and the real stores. */
import assert from 'node:assert/strict';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { openElasticReader } from '../../infra/elastic/view-reader';
import { openElasticWriter } from '../../infra/elastic/view-writer';
import { openEventStore } from '../../infra/eventstore/client';
import type { EventStore } from '../../infra/ports/event-store';
import type { View, ViewReader, ViewWriter } from '../../infra/ports/view-store';
import { migrate } from '../../infra/postgres/migrate';
import { openPostgresReader } from '../../infra/postgres/view-reader';
import { openPostgresWriter } from '../../infra/postgres/view-writer';
import { openRedisReader } from '../../infra/redis/view-reader';
import { openRedisWriter } from '../../infra/redis/view-writer';
import type { Projection } from '../../projections/kernel/projection';
import { rebuild } from '../../projections/kernel/rebuild';
import { type Projector, runProjector } from '../../projections/kernel/run';
import { type NodeProcess, startEventStoreNode, temporaryDirectory } from '../support/event-store-node';
import { eventually } from '../support/eventually';
import { openProxy, type ServerProxy } from '../support/proxy';
import { elasticsearchForTests, freshDatabase, valkeyForTests } from '../support/servers';
import {
  type CounterRow,
  counterIndex,
  counterIndexProjection,
  counterKeys,
  counterProjection,
  counterTable,
  hearingLog,
  keepTicking,
  quietMetrics,
  tick,
} from '../support/ticks';

interface Kind {
  readonly proxy: ServerProxy;
  readonly writer: ViewWriter;
  readonly reader: ViewReader;
  readonly projection: (name: string) => Projection;
}

const database = async (): Promise<readonly [string, string]> => {
  const url = await freshDatabase();
  const reading = await migrate({ url, readerPassword: 'only for reading' });
  if (isLeft(reading)) assert.fail(reading.left.detail);
  return [url, reading.right];
};

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  Postgres: async () => {
    const [url, reading] = await database();
    const proxy = await openProxy(url);
    return {
      proxy,
      writer: openPostgresWriter({ url: proxy.url }),
      reader: openPostgresReader({ url: reading }),
      projection: (name) => counterProjection(counterTable(name)),
    };
  },
  Redis: async () => {
    const { url } = await valkeyForTests();
    const proxy = await openProxy(url);
    return {
      proxy,
      writer: openRedisWriter(proxy.url),
      reader: openRedisReader(url),
      projection: (name) => counterProjection(counterKeys(name)),
    };
  },
  Elasticsearch: async () => {
    const [[postgresUrl, reading], { url }] = await Promise.all([database(), elasticsearchForTests()]);
    const proxy = await openProxy(url);
    return {
      proxy,
      writer: openElasticWriter({ url: proxy.url.replace(/\/$/, ''), postgresUrl }),
      reader: openElasticReader({ url, postgresUrl: reading }),
      projection: (name) => counterIndexProjection(counterIndex(name)),
    };
  },
};

/** Writes what it is asked to, and every third time says that it could not: the answer was lost. */
const losingAnswers = (writer: ViewWriter): ViewWriter => {
  let calls = 0;
  return {
    ...writer,
    apply: async (view, batch) => {
      const applied = await writer.apply(view, batch);
      calls += 1;
      return calls % 3 === 0 ? left(fault('view-store-unavailable', 'The answer was lost.')) : applied;
    },
  };
};

describe('projector over real stores', function () {
  this.timeout(120_000);
  const data = temporaryDirectory('projector');
  let node: NodeProcess;
  let store: EventStore;
  let runs = 0;
  let running: Projector[] = [];

  before(async () => {
    node = await startEventStoreNode(data.path);
    store = openEventStore({ url: node.url });
  });
  after(async () => {
    await store.close();
    await node.stop();
    data.remove();
  });
  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.close()));
    running = [];
  });

  const run = (projection: Projection, writer: ViewWriter): Projector => {
    const options = { store, log: hearingLog(), metrics: quietMetrics, writerOf: () => writer };
    const projector = runProjector([projection], options);
    running.push(projector);
    return projector;
  };

  for (const [name, open] of Object.entries(kinds))
    describe(name, () => {
      let kind: Kind;
      let projection: Projection;
      let ids = 0;

      before(async () => {
        kind = await open();
      });
      beforeEach(() => {
        runs += 1;
        projection = kind.projection(`test_counters_${process.pid}_${runs}`);
      });
      after(async () => {
        await Promise.all([kind.writer.close(), kind.reader.close()]);
        await kind.proxy.close();
      });

      const ticksOf = async (id: string, tenant = 'acme') => {
        const view = projection.view as unknown as View<CounterRow>;
        const found = await kind.reader.find(view, tenant, { counterId: id });
        return isRight(found) ? found.right?.ticks : found.left.detail;
      };
      const reaches = (id: string, ticks: number) => eventually(async () => assert.equal(await ticksOf(id), ticks));
      const fresh = (): string => {
        ids += 1;
        return `${name}${ids}`;
      };

      it('takes the past and what comes, and goes on where it stopped', async () => {
        const [one, two, three] = [fresh(), fresh(), fresh()];
        await tick(store, one, 90);
        const first = run(projection, kind.writer);
        await reaches(one, 90);
        await tick(store, two, 3);
        await reaches(two, 3);
        assert.equal(await ticksOf(two, 'other'), undefined);
        await first.close();
        await tick(store, three, 2);
        run(projection, kind.writer);
        await reaches(three, 2);
        assert.equal(await ticksOf(one), 90);
      });

      it('has an effect once though answers are lost', async () => {
        const all = Array.from({ length: 20 }, fresh);
        run(projection, losingAnswers(kind.writer));
        for (const id of all) await tick(store, id, 5);
        for (const id of all) await reaches(id, 5);
      });

      it('keeps a view together with a second projector', async () => {
        const all = Array.from({ length: 20 }, fresh);
        run(projection, kind.writer);
        run(projection, kind.writer);
        for (const id of all) await tick(store, id, 20);
        for (const id of all) await reaches(id, 20);
      });

      it('loses nothing while the store is away', async () => {
        const [one, two] = [fresh(), fresh()];
        const projector = run(projection, kind.writer);
        await tick(store, one, 2);
        await reaches(one, 2);
        kind.proxy.away();
        await tick(store, two, 4);
        await eventually(async () => assert.equal(projector.status()[0]?.phase, 'waiting'));
        kind.proxy.back();
        await reaches(two, 4);
        await eventually(async () => assert.equal(projector.status()[0]?.phase, 'live'));
      });

      it('is rebuilt to the same rows while it is being written', async () => {
        run(projection, kind.writer);
        const past = fresh();
        await tick(store, past, 50);
        await reaches(past, 50);
        const writes = keepTicking(store, `${name}-under`);
        const { signal } = new AbortController();
        const request = { store, writer: kind.writer, signal, projection, acceptDifferences: false };
        const rebuilt = await rebuild({ ...request, progress: () => undefined });
        await writes.stop();
        if (isLeft(rebuilt)) assert.fail(rebuilt.left.detail);
        assert.ok((rebuilt.right.digests?.after.rows ?? 0) > 0);
        const last = fresh();
        await tick(store, last, 2);
        await reaches(last, 2);
      });
    });

  it('goes on after the log was killed and came back', async () => {
    const kind = await (kinds.Postgres as () => Promise<Kind>)();
    const projection = kind.projection('test_counters_log');
    const projector = run(projection, kind.writer);
    const ticksOf = async (id: string) => {
      const found = await kind.reader.find(projection.view as unknown as View<CounterRow>, 'acme', { counterId: id });
      return isRight(found) ? found.right?.ticks : undefined;
    };
    await tick(store, 'before', 3);
    await eventually(async () => assert.equal(await ticksOf('before'), 3));
    await node.kill();
    node = await startEventStoreNode(data.path, node.port);
    await eventually(() => tick(store, 'after', 3));
    await eventually(async () => assert.equal(await ticksOf('after'), 3));
    await projector.close();
    await Promise.all([kind.writer.close(), kind.reader.close()]);
    await kind.proxy.close();
  });
});
