/** A copy of the worker service with one queue, which stops at a named point until the test lets it go on, to be killed or paused there. */
import { right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { commandTarget } from '../../../commands/kernel/processes/process-binding';
import { type JobHandler, performDecoded } from '../../../commands/kernel/work-queue/job-handler';
import { runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import type { Instant } from '../../../domain/kernel/codec';
import { send } from '../../../domain/kernel/process';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import type { EventStore } from '../../../infra/ports/event-store';
import type { WorkQueue } from '../../../infra/ports/processes/work-queue';
import { tally } from '../../kernel/commands/tally';
import { reportQueue } from '../../kernel/processes/sample-processes';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import type { StopPoint, WorkerOptions } from './worker-copies';

const { storeUrl, postgresUrl, queue, stopAt, claimMilliseconds } = JSON.parse(process.argv[2] ?? '') as WorkerOptions;

let goOn: () => void = () => undefined;
const mayGoOn = new Promise<void>((resolve) => {
  goOn = resolve;
});

const reach = async (point: StopPoint): Promise<void> => {
  process.send?.({ kind: point });
  if (point === stopAt) await mayGoOn;
};

const stoppingQueue = (work: WorkQueue): WorkQueue => ({
  ...work,
  claim: async (claim) => {
    const jobs = await work.claim(claim);
    if (jobs._tag === 'Right' && jobs.right.length > 0) await reach('claimed');
    return jobs;
  },
  complete: async (job) => {
    await reach('before-complete');
    const completed = await work.complete(job);
    await reach('completed');
    return completed;
  },
});

const stoppingStore = (store: EventStore): EventStore => ({
  ...store,
  append: async (...append) => {
    await reach('before-append');
    const appended = await store.append(...append);
    await reach('appended');
    return appended;
  },
});

const handler: JobHandler = {
  queue,
  concurrency: 4,
  graceMilliseconds: 200,
  ...(claimMilliseconds === undefined ? {} : { claimMilliseconds }),
  targets: { 'sample.tally': commandTarget(tally) },
  perform: performDecoded(reportQueue, async ({ payload: { customer } }) => {
    await reach('performing');
    return right([send('sample.tally', customer, { type: 'Add', amount: 77 })]);
  }),
};

const main = (): void => {
  const pool = openDurablePool({ url: postgresUrl });
  const store = openEventStore({ url: storeUrl });
  const workers = runWorkers([handler], {
    store: stoppingStore(store),
    work: stoppingQueue(createPostgresWorkQueue(pool)),
    commandMetrics: noCommandMetrics,
    clock: { now: () => new Date().toISOString() as Instant },
    log: recordingLog(),
    metrics: noopMetrics,
    warm: createExclusiveAggregates(),
    drainMilliseconds: 300,
  });
  process.on('message', () => goOn());
  process.once('SIGTERM', () => {
    const end = async (): Promise<void> => {
      await workers.close();
      await Promise.all([store.close(), pool.end()]);
      process.exit(0);
    };
    void end();
  });
  process.send?.({ kind: 'started' });
};

main();
