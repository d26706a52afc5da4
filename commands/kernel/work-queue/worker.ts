/** Performs the jobs of one queue. Results are commands whose ids derive from the job, so each job counts once. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Send } from '../../../domain/kernel/process';
import type { Job, WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import { backoffMilliseconds, pause } from '../../../infra/runtime/backoff';
import type { HandleDeps } from '../handle-request';
import type { CommandTargets } from '../processes/process-binding';
import { createWakeSignal, type WakeSignal } from '../wake-signal';
import { type ClaimedJob, renewClaim } from './claim-renewal';
import { openQueueMetrics, type QueueMetrics } from './queue-metrics';
import { type JobOutcome, reportResult } from './report-result';

export interface JobFailure {
  /** `never`: a retry would fail as well. */
  readonly kind: 'again' | 'never';
  readonly reason: string;
}

export interface JobHandler {
  readonly queue: string;
  /** In this process. */
  readonly concurrency: number;
  /** Of all processes together; without limit when left out. */
  readonly overall?: number;
  readonly perTenant?: number;
  readonly claimMilliseconds?: number;
  readonly targets: CommandTargets;
  /** The signal aborts when the claim is lost, or the process cannot wait any longer. */
  readonly perform: (job: Job, signal: AbortSignal) => Promise<Either<JobFailure, readonly Send[]>>;
}

export interface WorkerDeps extends HandleDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly work: WorkQueue;
  readonly pollMilliseconds?: number;
  /** Time for running jobs once the process drains; after that their claims are released. */
  readonly drainMilliseconds?: number;
  /** The pause before a job's second attempt; it doubles. */
  readonly retryMilliseconds?: number;
}

export interface RunningWorker {
  readonly close: () => Promise<void>;
}

interface WorkerContext {
  readonly handler: JobHandler;
  readonly deps: WorkerDeps;
  readonly queueMetrics: QueueMetrics;
  readonly wakeSignal: WakeSignal;
  /** Aborts when running jobs have to end. */
  readonly drainDeadline: AbortSignal;
}

const maxRetryMilliseconds = 300_000;
const unlimited = 1_000_000;

const performJob = async ({ handler, deps }: WorkerContext, job: Job, signal: AbortSignal): Promise<JobOutcome> => {
  try {
    const made = await handler.perform(job, signal);
    if (isLeft(made)) return { kind: made.left.kind === 'never' ? 'dead' : 'again', reason: made.left.reason };
    return await reportResult(deps, handler.targets, { job, sends: made.right, signal });
  } catch (error) {
    deps.log.warn({ error, queue: job.queue, key: job.key, attempt: job.attempt }, 'a job failed');
    return { kind: 'again', reason: `${error instanceof Error ? error.name : 'Something'} was thrown.` };
  }
};

/** The job's span continues the trace of the event that queued it, if there is one. */
const traceJob = (
  { deps: { trace } }: WorkerContext,
  { queue, cause, attempt }: Job,
  work: () => Promise<JobOutcome>,
) => {
  if (trace === undefined || cause.traceparent === undefined) return work();
  const spec = { name: `work ${queue}`, kind: 'consumer', under: { parent: cause.traceparent } } as const;
  const about = { attributes: { 'septet.attempt': attempt }, requestId: cause.correlationId };
  return trace.traceCall({ ...spec, ...about }, work, ({ kind }) => (kind === 'done' ? {} : { failed: kind }));
};

const settleJob = async (
  { deps, drainDeadline }: WorkerContext,
  { job, isLost }: ClaimedJob,
  outcome: JobOutcome,
): Promise<string> => {
  const { work, retryMilliseconds = 1_000 } = deps;
  if (isLost()) return 'lost';
  if (outcome.kind === 'done') return isLeft(await work.complete(job)) ? 'unknown' : 'done';
  if (drainDeadline.aborted && outcome.kind === 'again')
    return isLeft(await work.releaseClaim(job)) ? 'unknown' : 'given-back';
  const pauseFor = backoffMilliseconds(job.attempt - 1, retryMilliseconds, maxRetryMilliseconds);
  const againInMilliseconds = outcome.kind === 'dead' ? undefined : pauseFor;
  const failed = await work.fail(job, { reason: outcome.reason, againInMilliseconds });
  if (isLeft(failed)) return 'unknown';
  const isDead = outcome.kind === 'dead' || job.attempt >= job.mostAttempts;
  const { queue, key, tenant } = job;
  if (isDead) deps.log.error({ queue, key, tenant, reason: outcome.reason }, 'a job is a dead letter now');
  return isDead ? 'dead' : 'again';
};

const processJob = async (context: WorkerContext, job: Job): Promise<void> => {
  const { handler, deps, queueMetrics, drainDeadline } = context;
  const began = performance.now();
  const claimed = renewClaim(deps.work, job, {
    milliseconds: handler.claimMilliseconds ?? 30_000,
    drainDeadline,
  });
  const outcome = await traceJob(context, job, () => performJob(context, job, claimed.signal));
  await claimed.end();
  // If the report fails, the claim expires and the job is claimed again.
  queueMetrics.ended(await settleJob(context, claimed, outcome), (performance.now() - began) / 1000);
};

const claimJobs = async ({ handler, deps, queueMetrics }: WorkerContext, limit: number): Promise<readonly Job[]> => {
  const { queue, overall = unlimited, perTenant = unlimited, claimMilliseconds = 30_000 } = handler;
  const claim = { queue, limit, concurrency: overall, perTenant, milliseconds: claimMilliseconds };
  const jobs = await deps.work.claim(claim);
  if (isLeft(jobs)) return [];
  queueMetrics.claimed(jobs.right.length);
  return jobs.right;
};

const claimContinuously = async (
  context: WorkerContext,
  running: Set<Promise<void>>,
  signal: AbortSignal,
): Promise<void> => {
  const { handler, deps, wakeSignal } = context;
  const { pollMilliseconds = 250 } = deps;
  while (!signal.aborted) {
    const free = handler.concurrency - running.size;
    const jobs = free > 0 ? await claimJobs(context, free) : [];
    for (const job of jobs) {
      const doing = processJob(context, job).finally(() => {
        running.delete(doing);
        wakeSignal.notify();
      });
      running.add(doing);
    }
    if (jobs.length < free || free === 0) await wakeSignal.wait(pollMilliseconds * (0.5 + Math.random()), signal);
  }
};

export const runWorker = (handler: JobHandler, deps: WorkerDeps): RunningWorker => {
  const draining = new AbortController();
  const drainDeadline = new AbortController();
  const running = new Set<Promise<void>>();
  const queueMetrics = openQueueMetrics(handler.queue, deps);
  const context = {
    handler,
    deps,
    queueMetrics,
    wakeSignal: createWakeSignal(),
    drainDeadline: drainDeadline.signal,
  };
  const claiming = claimContinuously(context, running, draining.signal);
  const watching = queueMetrics.watch(draining.signal);
  return {
    close: async () => {
      draining.abort();
      await Promise.all([claiming, watching]);
      const over = new AbortController();
      const deadline = pause(deps.drainMilliseconds ?? 8_000, over.signal).then(() => drainDeadline.abort());
      await Promise.all(running);
      over.abort();
      await deadline;
    },
  };
};
