/** Jobs of a work queue: how many a second, and how soon an idle worker starts one; against graphile-worker on the same Postgres. */
import { join } from 'node:path';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { fromCallers, percentile, report } from './measure';
import { rivalModule } from './rival';
import type { BenchQueue, GraphileQueue } from './work-queue/job-counter';
import { openOwnQueue } from './work-queue/own-queue';

const jobs = 10_000;
const warmUp = 50;
const single = 150;
const rounds = 6;
const callers = 16;

/** From an idle start to the last of many jobs that wait already. */
const throughput = async (queue: BenchQueue, workers: number) => {
  let began = performance.now();
  await fromCallers(callers, jobs, (number) => queue.enqueue(number));
  const enqueued = (jobs * 1_000) / (performance.now() - began);
  began = performance.now();
  const stop = await queue.start(workers);
  await queue.counter.until(jobs);
  const rate = (jobs * 1_000) / (performance.now() - began);
  await stop();
  return { enqueued, rate };
};

interface Latencies {
  /** Milliseconds from the call that enqueues a job to its handler, one job at a time. */
  readonly started: number[];
  /** Until the caller knows that the job is on disk; its handler may have begun. */
  readonly enqueued: number[];
}

const latency = async (queue: BenchQueue, workers: number, { started, enqueued }: Latencies): Promise<void> => {
  const stop = await queue.start(workers);
  for (let nth = -warmUp; nth < single; nth += 1) {
    const done = queue.counter.count();
    const began = performance.now();
    await queue.enqueue(done);
    const known = performance.now();
    await queue.counter.until(done + 1);
    if (nth < 0) continue;
    started.push(queue.counter.startedAt() - began);
    enqueued.push(known - began);
  }
  await stop();
};

const compare = async (workers: number, own: BenchQueue, rival: BenchQueue): Promise<void> => {
  const name = `workQueue.${workers}`;
  const [baseline, value] = [await throughput(rival, workers), await throughput(own, workers)];
  report({ name: `${name}.enqueued`, value: value.enqueued, unit: 'jobs/s', baseline: baseline.enqueued });
  report({ name: `${name}.performed`, value: value.rate, unit: 'jobs/s', baseline: baseline.rate });
  const latencies: { readonly own: Latencies; readonly rival: Latencies } = {
    own: { started: [], enqueued: [] },
    rival: { started: [], enqueued: [] },
  };
  // In turns, so that both feel whatever else the machine and its disk do.
  for (let round = 0; round < rounds; round += 1) {
    await latency(rival, workers, latencies.rival);
    await latency(own, workers, latencies.own);
  }
  for (const kind of ['started', 'enqueued'] as const)
    for (const [label, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const)
      report({
        name: `${name}.${kind === 'started' ? 'claim' : 'enqueue'}.${label}`,
        value: percentile(latencies.own[kind], share),
        unit: 'ms',
        baseline: percentile(latencies.rival[kind], share),
      });
};

export const run = async (): Promise<void> => {
  const { openGraphileQueue } = rivalModule<GraphileQueue>(join(__dirname, 'work-queue', 'graphile-queue'));
  try {
    for (const workers of [1, 8]) {
      const [own, rival] = [await openOwnQueue(await freshDatabase()), await openGraphileQueue(await freshDatabase())];
      try {
        await compare(workers, own, rival);
      } finally {
        await Promise.all([own.close(), rival.close()]);
      }
    }
  } finally {
    await stopServers();
  }
};
