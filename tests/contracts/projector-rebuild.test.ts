/** Rebuilds that are watched, crowded and killed. `REBUILD_EVENTS` enlarges the proof. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import type { View } from '../../infra/ports/view-store';
import { migrate } from '../../infra/postgres/migrate';
import { openViewLedger, openViewLedgerReader } from '../../infra/postgres/view-ledger';
import { openPostgresReader } from '../../infra/postgres/view-reader';
import { openPostgresWriter } from '../../infra/postgres/view-writer';
import { openRedisReader } from '../../infra/redis/view-reader';
import { openRedisWriter } from '../../infra/redis/view-writer';
import { keepBeside } from '../../projections/kernel/keep';
import { rebuild } from '../../projections/kernel/rebuild';
import { runProjector } from '../../projections/kernel/run';
import { eventually } from '../support/eventually';
import { logOnNode } from '../support/log-on-node';
import { hearingLog, quietMetrics } from '../support/quiet';
import { freshDatabase, valkeyForTests } from '../support/servers';
import { type CounterRow, counterKeys, counterProjection, counterTable, tick } from '../support/ticks';
import { fill, rebuildUnderLoad } from './projector-rebuild/proof';
import { ok } from './view-store';

const events = Number(process.env.REBUILD_EVENTS ?? 10_000);

const points = [
  ['begun', 'has begun'],
  ['replaying', 'has written some rows'],
  ['compared', 'has compared and holds the live view'],
  ['switched', 'has switched'],
] as const;

describe('rebuild', function () {
  this.timeout(Math.max(120_000, events));
  const log = logOnNode('rebuild');
  let url: string;
  let reading: string;
  before(async () => {
    url = await freshDatabase();
    reading = ok(await migrate({ url, readerPassword: 'only for reading' }));
  });

  it('gives no wrong answer under commands and reads, is recorded, and leaves nothing behind', async () => {
    const projection = counterProjection(counterTable('proof_counters'));
    const [writer, reader, ledger] = [
      openPostgresWriter({ url }),
      openPostgresReader({ url: reading }),
      openViewLedger({ url }),
    ];
    const known = openViewLedgerReader({ url: reading });
    const ids = await fill(log.store, events);
    const options = { store: log.store, log: hearingLog(), metrics: quietMetrics, writerOf: () => writer, ledger };
    const projector = runProjector([projection], options);
    const stopping = new AbortController();
    const beside = keepBeside({
      ...{ projections: [projection], writerOf: () => writer, status: projector.status, ledger },
      ...{ log: options.log, signal: stopping.signal },
    });
    const live = async () => assert.deepEqual(projector.status()[0]?.phase, 'live');
    for (let waited = 0; waited < events / 10_000 && projector.status()[0]?.phase !== 'live'; waited += 1)
      await eventually(live).catch(() => undefined);
    await live();
    const earlier = ok(await writer.open(projection.view)).number;
    const id = randomUUID();
    const proof = await rebuildUnderLoad({ store: log.store, writer, reader, ledger, projection }, ids, id);
    assert.deepEqual(proof.wrong, []);
    assert.ok(proof.reads > 100 && proof.commands > 10);
    const { generation, digests } = proof.rebuilt;
    assert.equal(ok(await writer.open(projection.view)).number, generation);
    assert.deepEqual(ok(await writer.sweep(projection.view, 0)), [earlier]);
    await eventually(async () => {
      const [said] = ok(await known.views());
      assert.deepEqual([said?.view, said?.store, said?.phase], ['proof_counters', 'postgres', 'live']);
      const { began, ended, ...recorded } = said?.rebuild ?? assert.fail();
      assert.ok(began <= (ended ?? ''));
      const { outcome, by, before, after, events: count } = recorded;
      assert.deepEqual(
        { id: recorded.id, outcome, by, generation: recorded.generation, before, after },
        { id, outcome: 'switched', by: 'operator:proof', generation, ...digests },
      );
      assert.ok(count >= events);
    });
    stopping.abort();
    await Promise.all([projector.close(), beside]);
    await Promise.all([writer, reader, ledger, known].map((part) => part.close()));
  });

  const kinds = {
    Postgres: async () => ({
      at: url,
      writer: openPostgresWriter({ url }),
      reader: openPostgresReader({ url: reading }),
      view: counterTable,
    }),
    Redis: async () => {
      const { url: at } = await valkeyForTests();
      return { at, writer: openRedisWriter(at), reader: openRedisReader(at), view: counterKeys };
    },
  };

  for (const [store, open] of Object.entries(kinds))
    for (const [point, when] of points)
      it(`in ${store}, killed when it ${when}, is begun again at once, and the view goes on`, async () => {
        const { at, writer, reader, view } = await open();
        const name = `killed_${process.pid}_${point}`;
        const projection = counterProjection(view(name));
        const options = { store: log.store, log: hearingLog(), metrics: quietMetrics, writerOf: () => writer };
        const projector = runProjector([projection], options);
        const id = `${store}-${point}`;
        await tick(log.store, id, 3);
        const shows = (ticks: number, counterId = id) =>
          eventually(async () => {
            const found = await reader.find(projection.view as unknown as View<CounterRow>, 'acme', { counterId });
            assert.equal(isRight(found) ? found.right?.ticks : found.left.detail, ticks);
          });
        await shows(3);
        const script = join(__dirname, 'projector-rebuild', 'builder.main.ts');
        const child = spawn(process.execPath, ['-r', 'tsx/cjs', script, log.node.url, at, name, point], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        await once(child.stdout, 'data');
        const request = { store: log.store, writer, projection, signal: new AbortController().signal };
        const again = () => rebuild({ ...request, acceptDifferences: false, progress: () => undefined });
        if (point !== 'switched') {
          const refused = await again();
          assert.ok(isLeft(refused) && refused.left.code === 'view-building');
        }
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
        await eventually(async () => {
          const built = await again();
          if (isLeft(built)) assert.fail(built.left.detail);
        });
        await tick(log.store, `${id}-later`, 2);
        await shows(2, `${id}-later`);
        await shows(3);
        await projector.close();
        await Promise.all([writer.close(), reader.close()]);
      });
});
