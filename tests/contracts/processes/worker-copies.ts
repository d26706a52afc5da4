/** Copies of the worker service as children, on a real log and a real queue. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { JobRecord } from '../../../infra/ports/processes/work-queue';
import { amountsIn } from '../../kernel/processes/fixture';
import { typescript } from '../../support/runner/compiled';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { openQueue, usePostgres, value } from './work-queue/fixture';

/** Before and after each effect of a worker: the claim, the job itself, its results in the log, its end in the queue. */
export const stopPoints = [
  'claimed',
  'performing',
  'before-append',
  'appended',
  'before-complete',
  'completed',
] as const;
export type StopPoint = (typeof stopPoints)[number];

export interface WorkerOptions {
  readonly storeUrl: string;
  readonly postgresUrl: string;
  readonly queue: string;
  readonly stopAt?: StopPoint;
  /** Undefined: the default of queues. */
  readonly claimMilliseconds?: number | undefined;
}

export interface WorkerCopy {
  readonly child: ChildProcess;
  readonly reached: (point: StopPoint | 'started') => Promise<void>;
  readonly goOn: () => void;
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<number | null>;
}

const exitOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

const startWorker = async (options: WorkerOptions): Promise<WorkerCopy> => {
  const script = join(__dirname, 'worker.main.ts');
  const child = fork(script, [JSON.stringify(options)], { execArgv: typescript() });
  const kinds = new Set<string>();
  child.on('message', ({ kind }: { readonly kind: string }) => kinds.add(kind));
  const reached: WorkerCopy['reached'] = (point) => eventually(async () => assert.ok(kinds.has(point)));
  await reached('started');
  return {
    child,
    reached,
    goOn: () => void child.send('go-on'),
    kill: async () => {
      child.kill('SIGKILL');
      await exitOf(child);
    },
    stop: () => {
      child.kill('SIGTERM');
      return exitOf(child);
    },
  };
};

/** A log, a database and copies of its own for each describe; a queue for each test. */
export const useWorkerCopies = (name: string) => {
  const log = logOnNode(name);
  const postgres = usePostgres();
  const copies: WorkerCopy[] = [];
  afterEach(() => Promise.all(copies.splice(0).map((copy) => copy.kill())));
  return {
    log,
    postgres,
    openQueue: () => {
      const queue = openQueue(postgres.pool);
      return {
        ...queue,
        /** With short claims by default. */
        start: async (options: Pick<WorkerOptions, 'stopAt' | 'claimMilliseconds'> = {}) => {
          const urls = { storeUrl: log.node.url, postgresUrl: postgres.url };
          const copy = await startWorker({ claimMilliseconds: 1_500, ...options, ...urls, queue: queue.queue });
          copies.push(copy);
          return copy;
        },
        addFor: (customer: string) => queue.add({ payload: { customer } }),
        jobs: async (): Promise<readonly JobRecord[]> =>
          value(await queue.work.listJobs({ queue: queue.queue, limit: 100 })),
        ended: async (): Promise<void> => {
          await eventually(async () => {
            const jobs = value(await queue.work.listJobs({ queue: queue.queue, limit: 100 }));
            assert.deepEqual(
              jobs.filter(({ state }) => state !== 'done').map(({ state, reason }) => [state, reason]),
              [],
            );
          });
        },
        amounts: (customer: string) => amountsIn(log.store, customer),
      };
    },
  };
};
