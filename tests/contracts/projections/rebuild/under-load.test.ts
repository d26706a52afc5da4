/** A rebuild of a big view under commands and reads, watched. `REBUILD_EVENTS` enlarges it. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { Client } from 'pg';
import { migrate } from '../../../../infra/adapters/postgres/migrate';
import { physicalName } from '../../../../infra/adapters/postgres/sql';
import { openPostgresReader } from '../../../../infra/adapters/postgres/views/view-reader';
import { openViewStatusReader, openViewStatusStore } from '../../../../infra/adapters/postgres/views/view-status-store';
import { openPostgresWriter } from '../../../../infra/adapters/postgres/views/view-writer';
import { runHousekeeping } from '../../../../projections/kernel/projector/housekeeping';
import { type Projector, runProjector } from '../../../../projections/kernel/projector/projector';
import { counterProjection, counterTable } from '../../../support/domain/counter-context';
import { sized } from '../../../support/runner/size';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import { freshDatabase } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../../support/waiting/recording-log';
import { ok } from '../../views/suite/view-store';
import { fill, startLoad } from './concurrent-load';
import { rebuildStage, rebuildUnderLoad, type Stage } from './rebuild-under-load';

const events = Number(process.env.REBUILD_EVENTS ?? sized({ short: 8_000, long: 50_000 }));
const view = counterTable('proof_counters');
const projection = counterProjection(view);

describe('a rebuild under commands and reads', function () {
  this.timeout(Math.max(180_000, events * 2));
  const log = logOnNode('rebuild-live');
  const stopping = new AbortController();
  let url: string;
  let stage: Stage;
  let reader: ReturnType<typeof openPostgresReader>;
  let known: ReturnType<typeof openViewStatusReader>;
  let projector: Projector;
  let beside: Promise<void>;
  let counters = 0;

  const activeNumber = async (): Promise<number> => ok(await stage.writer.open(projection.view)).number;

  before(async () => {
    url = await freshDatabase();
    const reading = ok(await migrate({ url, readerPassword: 'only for reading' }));
    reader = openPostgresReader({ url: reading });
    known = openViewStatusReader({ url: reading });
    const [writer, ledger] = [openPostgresWriter({ url }), openViewStatusStore({ url })];
    stage = { store: log.store, writer, ledger, projection };
    counters = await fill(log.store, events);
    const options = { store: log.store, log: recordingLog(), metrics: noopMetrics, writerOf: () => writer, ledger };
    projector = runProjector([projection], options);
    beside = runHousekeeping({
      projections: [projection],
      writerOf: () => writer,
      status: projector.status,
      ledger,
      log: options.log,
      signal: stopping.signal,
    });
    const live = async () => assert.equal(projector.status()[0]?.phase, 'live');
    for (let waited = 0; waited < events / 10_000 && projector.status()[0]?.phase !== 'live'; waited += 1)
      await eventually(live).catch(() => undefined);
    await live();
  });

  after(async () => {
    stopping.abort();
    await Promise.all([projector.close(), beside]);
    await Promise.all([stage.writer, stage.ledger, reader, known].map((part) => part.close()));
  });

  const lastRebuild = async () => ok(await known.views()).find(({ view: name }) => name === view.name)?.rebuild;

  it('gives no wrong answer, is recorded, and leaves nothing behind', async () => {
    const earlier = await activeNumber();
    const id = randomUUID();
    const load = startLoad({ store: log.store, reader, projection, counters });
    const proof = await rebuildUnderLoad(stage, load, id);
    assert.deepEqual(proof.wrong, []);
    assert.ok(proof.reads > 100 && proof.commands > 10);
    const { generation, digests } = proof.rebuilt;
    assert.equal(await activeNumber(), generation);
    assert.deepEqual(ok(await stage.writer.sweep(projection.view, 0)), [earlier]);
    await eventually(async () => {
      const { began, ended, position, ...recorded } = (await lastRebuild()) ?? assert.fail();
      assert.ok(began <= (ended ?? '') && position !== undefined);
      const { outcome, by, before, after, events: count } = recorded;
      assert.deepEqual(
        { id: recorded.id, outcome, by, generation: recorded.generation, before, after },
        { id, outcome: 'switched', by: 'operator:proof', generation, ...digests },
      );
      assert.ok(count >= events);
    });
  });

  it('does not switch to a different copy, reports it, and switches when differences are accepted', async () => {
    const before = await activeNumber();
    const owner = new Client({ connectionString: url });
    await owner.connect();
    await owner.query(`update ${physicalName(view, before)} set ticks = 7 where "counterId" = 'c3'`);
    await owner.end();
    const ticks = async () => ok(await reader.find(view, 'acme', { counterId: 'c3' }))?.ticks;
    const refused = await rebuildStage(stage, randomUUID());
    assert.ok(isLeft(refused) && refused.left.code === 'view-differs');
    assert.equal(await activeNumber(), before);
    assert.equal(await ticks(), 7);
    const recorded = await lastRebuild();
    assert.deepEqual([recorded?.outcome, recorded?.reason], ['failed', 'view-differs']);
    assert.equal(recorded?.before?.rows, recorded?.after?.rows);
    assert.notEqual(recorded?.before?.hash, recorded?.after?.hash);
    ok(await rebuildStage(stage, randomUUID(), true));
    assert.notEqual(await activeNumber(), before);
    assert.equal(await ticks(), 19);
  });
});
