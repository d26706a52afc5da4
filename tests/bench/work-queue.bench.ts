/** Jobs of a work queue: how many a second, and how soon an idle worker starts one; against graphile-worker on the same Postgres. */
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { fromCallers, percentile, report } from './measure';
import { openGraphileQueue } from './work-queue/graphile-queue';
import type { BenchQueue, OpenQueue } from './work-queue/job-counter';
import { openOwnQueue } from './work-queue/own-queue';

const jobs = 10_000;
const warmUp = 50;
const single = 500;
const callers = 16;

interface Measured {
  readonly enqueued: number;
  readonly rate: number;
  readonly latencies: readonly number[];
}

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

/** From the call that enqueues a job to its handler, one job at a time. */
const latency = async (queue: BenchQueue, workers: number): Promise<readonly number[]> => {
  const stop = await queue.start(workers);
  const latencies: number[] = [];
  for (let nth = 0; nth < warmUp + single; nth += 1) {
    const done = queue.counter.count();
    const began = performance.now();
    await queue.enqueue(jobs + workers * 1_000 + nth);
    await queue.counter.until(done + 1);
    latencies.push(queue.counter.startedAt() - began);
  }
  await stop();
  return latencies.slice(warmUp);
};

const measured = async (open: OpenQueue, workers: number): Promise<Measured> => {
  const queue = await open(await freshDatabase());
  try {
    const { enqueued, rate } = await throughput(queue, workers);
    return { enqueued, rate, latencies: await latency(queue, workers) };
  } finally {
    await queue.close();
  }
};

export const run = async (): Promise<void> => {
  try {
    for (const workers of [1, 8]) {
      const rival = await measured(openGraphileQueue, workers);
      const own = await measured(openOwnQueue, workers);
      const name = `workQueue.${workers}`;
      report({ name: `${name}.enqueued`, value: own.enqueued, unit: 'jobs/s', baseline: rival.enqueued });
      report({ name: `${name}.performed`, value: own.rate, unit: 'jobs/s', baseline: rival.rate });
      for (const [label, share] of [
        ['p50', 0.5],
        ['p99', 0.99],
      ] as const) {
        const [value, baseline] = [percentile(own.latencies, share), percentile(rival.latencies, share)];
        report({ name: `${name}.claim.${label}`, value, unit: 'ms', baseline });
      }
    }
  } finally {
    await stopServers();
  }
};
