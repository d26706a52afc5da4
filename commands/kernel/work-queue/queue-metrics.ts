/** Metrics of one work queue. */
import { isLeft } from 'fp-ts/Either';
import type { QueueCounts, WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import { pause } from '../../../infra/server/runtime/backoff';

export interface QueueMetrics {
  readonly claimed: (jobs: number) => void;
  /** `done`, `again`, `dead`, `cancelled`, `lost`, `given-back`, `unknown`. */
  readonly ended: (how: string, seconds: number) => void;
  /** A job did not end in time after its signal. */
  readonly killed: () => void;
  /** Until the signal aborts. `counted`: undefined, where the store does not answer. */
  readonly watch: (signal: AbortSignal, counted: (counts: QueueCounts | undefined) => void) => Promise<void>;
}

const watchMilliseconds = 5_000;
const purgeEvery = 120;
/** A process may answer the same event again for as long as its checkpoint stands before it. */
const rememberedSeconds = 7 * 24 * 3_600;

const createQueueMetrics = (metrics: Metrics) => ({
  claims: metrics.counter({ name: 'work_claims_total', help: 'Jobs claimed.', labels: ['queue'] }),
  ended: metrics.counter({ name: 'work_jobs_total', help: 'Claims that ended.', labels: ['queue', 'outcome'] }),
  kills: metrics.counter({ name: 'work_kills_total', help: 'Jobs that did not end in time.', labels: ['queue'] }),
  seconds: metrics.histogram({
    name: 'work_job_seconds',
    help: 'Time a claim took.',
    labels: ['queue'],
    buckets: [0.01, 0.1, 1, 5, 15, 60, 300, 1_800],
  }),
  depth: metrics.gauge({ name: 'work_queue_depth', help: 'Jobs by state.', labels: ['queue', 'state'] }),
  oldest: metrics.gauge({ name: 'work_oldest_seconds', help: 'Age of the oldest waiting job.', labels: ['queue'] }),
});

export const openQueueMetrics = (
  queue: string,
  { metrics, work }: { readonly metrics: Metrics; readonly work: WorkQueue },
): QueueMetrics => {
  const queueMetrics = createQueueMetrics(metrics);
  const look = async (): Promise<QueueCounts | undefined> => {
    const found = await work.counts(queue);
    if (isLeft(found)) return undefined;
    const { waiting, running, dead, oldestSeconds } = found.right;
    for (const [state, jobs] of Object.entries({ waiting, running, dead })) queueMetrics.depth(jobs, { queue, state });
    queueMetrics.oldest(oldestSeconds, { queue });
    return found.right;
  };
  return {
    claimed: (jobs) => queueMetrics.claims({ queue }, jobs),
    ended: (outcome, seconds) => {
      queueMetrics.ended({ queue, outcome });
      queueMetrics.seconds(seconds, { queue });
    },
    killed: () => queueMetrics.kills({ queue }),
    watch: async (signal, counted) => {
      for (let round = 0; !signal.aborted; round += 1) {
        counted(await look());
        if (round % purgeEvery === 0) await work.purge(rememberedSeconds);
        await pause(watchMilliseconds, signal);
      }
    },
  };
};
