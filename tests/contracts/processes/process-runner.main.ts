/** A copy of the processes service and of a worker, with the sample process and its queue, to be killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { bindProcess, commandTarget } from '../../../commands/kernel/processes/process-binding';
import { runProcesses } from '../../../commands/kernel/processes/run-processes';
import { type JobHandler, performDecoded } from '../../../commands/kernel/work-queue/job-handler';
import { runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import type { Instant } from '../../../domain/kernel/codec';
import { send } from '../../../domain/kernel/process';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../../../infra/adapters/postgres/processes/lease-store';
import { createPostgresProcessStatusStore } from '../../../infra/adapters/postgres/processes/process-status-store';
import { createPostgresTimers } from '../../../infra/adapters/postgres/processes/timer-store';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import type { Leases } from '../../../infra/ports/processes/leases';
import { tally } from '../../kernel/commands/tally';
import { countOnOrder, reportQueue } from '../../kernel/processes/sample-processes';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const [storeUrl = '', postgresUrl = '', mode = ''] = process.argv.slice(2);
const targets = { 'sample.tally': commandTarget(tally) };

/** Reports when a job begins, so that the test can kill the process midway. */
const reportHandler: JobHandler = {
  queue: reportQueue.name,
  concurrency: 4,
  claimMilliseconds: 1_500,
  targets,
  perform: performDecoded(reportQueue, async ({ payload: { customer }, attempt }, { signal }) => {
    process.send?.({ kind: 'working', customer, attempt });
    if (mode === 'slow') await sleep(60_000, undefined, { signal });
    return right([send('sample.tally', customer, { type: 'Add', amount: 77 })]);
  }),
};

/** As if everybody were alone. */
const unguarded = (leases: Leases): Leases => ({
  ...leases,
  acquire: async (name) => right({ name, token: 1 }),
  renew: async () => right(true),
});

const main = async (): Promise<void> => {
  const pool = openDurablePool({ url: postgresUrl });
  const leases = openPostgresLeaseStore({ url: postgresUrl });
  const store = openEventStore({ url: storeUrl });
  const stores = {
    checkpoints: createPostgresCheckpoints(pool),
    timers: createPostgresTimers(pool),
    work: createPostgresWorkQueue(pool),
    ledger: createPostgresProcessStatusStore(pool),
    leases: mode === 'unguarded' ? unguarded(leases) : leases,
  };
  const clock = { now: () => new Date().toISOString() as Instant };
  const around = {
    store,
    commandMetrics: noCommandMetrics,
    clock,
    log: recordingLog(),
    metrics: noopMetrics,
    warm: createExclusiveAggregates(),
    leaseMilliseconds: 1_500,
  };
  const running = runProcesses([bindProcess(countOnOrder, targets)], { ...stores, ...around });
  const workers = runWorkers([reportHandler], { ...around, work: stores.work, drainMilliseconds: 300 });
  process.on('message', () => process.send?.({ kind: 'status', status: running.status() }));
  process.once('SIGTERM', () => {
    const end = async (): Promise<void> => {
      await Promise.all([running.close(), workers.close()]);
      await Promise.all([store.close(), pool.end(), leases.close()]);
      process.exit(0);
    };
    void end();
  });
  process.send?.({ kind: 'started' });
};

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
