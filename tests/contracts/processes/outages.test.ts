import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { bindProcess, commandTarget } from '../../../commands/kernel/processes/process-binding';
import { type RunningProcess, runProcess } from '../../../commands/kernel/processes/process-runner';
import type { Instant } from '../../../domain/kernel/codec';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../../../infra/adapters/postgres/processes/lease-store';
import { createPostgresTimers } from '../../../infra/adapters/postgres/processes/timer-store';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { tally } from '../../kernel/commands/tally';
import { amountsIn } from '../../kernel/processes/fixture';
import { countOnOrder, type OrderEvent } from '../../kernel/processes/sample-processes';
import { logOnNodeProcess } from '../../support/servers/event-store-fixture';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { recordNow } from './fixture';
import { usePostgres } from './work-queue/fixture';

const placed = (customer: string, amount: number): OrderEvent => ({ type: 'OrderPlaced', data: { customer, amount } });
const clock = { now: () => new Date().toISOString() as Instant };

describe('a process whose stores go away', () => {
  const log = logOnNodeProcess('processes-faults');
  const postgres = usePostgres();
  let proxy: ServerProxy;
  let running: RunningProcess;
  let close: () => Promise<unknown>;
  before(async () => {
    proxy = await openProxy(postgres.url);
    const pool = openDurablePool({ url: proxy.url });
    const leases = openPostgresLeaseStore({ url: proxy.url });
    const stores = { checkpoints: createPostgresCheckpoints(pool), timers: createPostgresTimers(pool), leases };
    const around = {
      store: log.store,
      commandMetrics: noCommandMetrics,
      clock,
      log: recordingLog(),
      metrics: noopMetrics,
      warm: createExclusiveAggregates(),
    };
    const process = bindProcess(countOnOrder, { 'sample.tally': commandTarget(tally) });
    running = runProcess(process, {
      ...stores,
      ...around,
      work: createPostgresWorkQueue(pool),
      leaseMilliseconds: 600,
    });
    close = async () => {
      await running.close();
      await Promise.all([pool.end(), leases.close()]);
      await proxy.close();
    };
  });
  after(() => close());
  const phase = (expected: string) => eventually(async () => assert.equal(running.status().phase, expected));
  const added = (customer: string, count: number) =>
    eventually(async () => {
      const expected = Array.from({ length: count }, (_, index) => (index + 1) * 1_001);
      assert.deepEqual(await amountsIn(log.store, customer), expected);
    });

  it('waits without Postgres, says so, and goes on where it was', async () => {
    const customer = `p-${randomUUID()}`;
    await recordNow(log.store, placed(customer, 1));
    await added(customer, 1);
    proxy.away();
    await phase('waiting');
    for (const amount of [2, 3]) await recordNow(log.store, placed(customer, amount));
    proxy.back();
    await added(customer, 3);
    await phase('live');
  });

  it('goes on when the log was killed and started again', async () => {
    const customer = `l-${randomUUID()}`;
    await recordNow(log.store, placed(customer, 1));
    await added(customer, 1);
    const { data, port } = log.node;
    await log.node.kill();
    log.node = await startEventStoreNode(data, port);
    await eventually(() => recordNow(log.store, placed(customer, 2)));
    await added(customer, 2);
    await phase('live');
  });
});
