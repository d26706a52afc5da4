import { isLeft, right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import type { Instant } from '../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { concurrency, createJobCounter, type OpenQueue } from './job-counter';

const queue = 'bench';
const connections = 10;

export const openOwnQueue: OpenQueue = async (url) => {
  if (isLeft(await migrate({ url, readerPassword: 'only for reading' }))) throw new Error('not migrated');
  const counter = createJobCounter();
  const pool = openDurablePool({ url, connections });
  const work = createPostgresWorkQueue(pool);
  const cause = { correlationId: 'c', causationId: 'c', depth: 1 };
  const handler = {
    queue,
    concurrency,
    targets: {},
    perform: async () => {
      counter.started();
      return right([]);
    },
  };
  const clock = { now: () => new Date().toISOString() as Instant };
  return {
    counter,
    enqueue: async (number) => {
      const queued = await work.enqueue({ queue, key: String(number), tenant: 'acme', payload: { number }, cause });
      if (isLeft(queued) || queued.right === 'known') throw new Error('a job was not queued');
    },
    start: async (workers) => {
      const pools = Array.from({ length: workers }, () => openDurablePool({ url, connections }));
      const running = pools.map((own) =>
        runWorkers([handler], {
          store: openMemoryEventStore(),
          commandMetrics: noCommandMetrics,
          clock,
          log: recordingLog(),
          metrics: noopMetrics,
          work: createPostgresWorkQueue(own),
        }),
      );
      return async () => {
        await Promise.all(running.map((one) => one.close()));
        await Promise.all(pools.map((own) => own.end()));
      };
    },
    close: () => pool.end(),
  };
};
