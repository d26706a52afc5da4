/** Performs the jobs of one queue. Results are commands whose ids derive from the job, so each job counts once. */
import { setMaxListeners } from 'node:events';
import { isLeft } from 'fp-ts/Either';
import type { Job, QueueCounts, WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import { backoffMilliseconds, pause } from '../../../infra/server/runtime/backoff';
import { copyName } from '../copy-name';
import type { HandleDeps } from '../handle-request';
import { createWakeSignal, type WakeSignal } from '../wake-signal';
import { type ClaimedJob, renewClaim } from './claim-renewal';
import type { JobHandler } from './job-handler';
import { openQueueMetrics, type QueueMetrics } from './queue-metrics';
import { createReadyJobs } from './ready-jobs';
import { type JobOutcome, reportResult } from './report-result';

export interface WorkerDeps extends HandleDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly work: WorkQueue;
  readonly pollMilliseconds?: number;
  /** A queue without notifications for so long is polled seldom. */
  readonly quietAfterMilliseconds?: number;
  /** Time for running jobs once the process drains; after that they are ended and their claims released. */
  readonly drainMilliseconds?: number;
  /** The pause before a job's second attempt; it doubles. */
  readonly retryMilliseconds?: number;
}

export interface RunningWorker {
  readonly queue: string;
  readonly running: () => number;
  /** False while the store does not answer claims. */
  readonly canClaim: () => boolean;
  /** A job may be claimed: the worker claims before its next poll. */
  readonly notify: () => void;
  readonly close: () => Promise<void>;
}

interface WorkerContext {
  readonly handler: JobHandler;
  readonly deps: WorkerDeps;
  readonly queueMetrics: QueueMetrics;
  readonly wakeSignal: WakeSignal;
  readonly worker: string;
  /** Aborts when the time to drain is over. */
  readonly signal: AbortSignal;
}

const maxRetryMilliseconds = 300_000;
const unlimited = 1_000_000;
const defaultClaimMilliseconds = 12_000;
const defaultGraceMilliseconds = 5_000;
/** With the claim's length, within 15 seconds of a worker's death its job is another's. */
const sweepMilliseconds = 2_000;
const lateSweepMilliseconds = 1_000;

/** With their pauses, about the minute after which the store takes the job from a worker that is alive. */
const lossReports = 16;

/** Without a notification, a claimed job, or a count of jobs that wait or run, the queue is quiet. */
const defaultQuietAfterMilliseconds = 10_000;
/** Of a quiet queue. Its counts, which are taken more often, reveal jobs whose notification was lost. */
const quietPollMilliseconds = 30_000;

/** Running jobs and jobs whose end is not recorded yet, per slot of a running one. */
const maxUnrecorded = 3;

const stopped: JobOutcome = { kind: 'again', reason: 'It was ended.' };

interface Attempt {
  readonly claimed: ClaimedJob;
  readonly onKill: (kill: () => void) => void;
}

const performJob = async ({ handler, deps }: WorkerContext, { claimed, onKill }: Attempt): Promise<JobOutcome> => {
  const { job, signal, reportProgress, checkpoint, confirm } = claimed;
  const isLastAttempt = (): boolean => claimed.attempt() >= job.mostAttempts;
  try {
    const performed = await handler.perform(job, { signal, reportProgress, checkpoint, isLastAttempt, onKill });
    if (isLeft(performed))
      return { kind: performed.left.kind === 'permanent' ? 'dead' : 'again', reason: performed.left.reason };
    if (!(await confirm())) return stopped;
    return await reportResult(deps, handler.targets, { job, sends: performed.right, signal });
  } catch (error) {
    if (signal.aborted) return stopped;
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

/** Kills what did not end within the grace period, and goes on without it: its results are refused by its token. */
const performWithinGrace = async (context: WorkerContext, claimed: ClaimedJob): Promise<JobOutcome> => {
  const { handler, deps, queueMetrics } = context;
  const { job, signal } = claimed;
  const kills: (() => void)[] = [];
  const ended = new AbortController();
  const performing = traceJob(context, job, () => performJob(context, { claimed, onKill: (kill) => kills.push(kill) }));
  const killing = async (): Promise<JobOutcome> => {
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await pause(handler.graceMilliseconds ?? defaultGraceMilliseconds, ended.signal);
    if (ended.signal.aborted) return stopped;
    for (const kill of kills) kill();
    queueMetrics.killed();
    deps.log.warn({ queue: job.queue, key: job.key, attempt: job.attempt }, 'a job did not end in time and is killed');
    return stopped;
  };
  const outcome = await Promise.race([performing, killing()]);
  ended.abort();
  return outcome;
};

const failJob = async (
  { deps }: WorkerContext,
  claimed: ClaimedJob,
  outcome: Exclude<JobOutcome, { kind: 'done' }>,
) => {
  const { work, retryMilliseconds = 1_000 } = deps;
  const { job } = claimed;
  const { queue, key, tenant } = job;
  const pauseFor = backoffMilliseconds(claimed.attempt() - 1, retryMilliseconds, maxRetryMilliseconds);
  const againInMilliseconds = outcome.kind === 'dead' ? undefined : pauseFor;
  const failed = await work.fail(job, { reason: outcome.reason, againInMilliseconds });
  if (isLeft(failed)) return 'unknown';
  const isDead = outcome.kind === 'dead' || claimed.attempt() >= job.mostAttempts;
  if (isDead) deps.log.error({ queue, key, tenant, reason: outcome.reason }, 'a job is a dead letter now');
  return isDead ? 'dead' : 'again';
};

/**
 * This worker does not perform the job any more, and is alive, so the store would wait for it: the claim is released there, with retries.
 * Nothing changes where another worker has the job by then.
 */
const reportLoss = async ({ deps, signal }: WorkerContext, claimed: ClaimedJob): Promise<void> => {
  const { queue, key, attempt } = claimed.job;
  deps.log.warn({ queue, key, attempt }, 'a job was lost: its claim was not renewed in time');
  const failure = { reason: 'The worker could not renew its claim in time.', againInMilliseconds: 0 };
  for (let tries = 0; tries < lossReports && !signal.aborted; tries += 1) {
    if (!isLeft(await deps.work.fail(claimed.job, failure))) return;
    await pause(backoffMilliseconds(tries, 100, 5_000), signal);
  }
};

const settleJob = async (context: WorkerContext, claimed: ClaimedJob, outcome: JobOutcome): Promise<string> => {
  const { work } = context.deps;
  const { job } = claimed;
  const reason = claimed.stopReason();
  if (reason === 'lost') {
    await reportLoss(context, claimed);
    return 'lost';
  }
  if (outcome.kind === 'done') return isLeft(await work.complete(job)) ? 'unknown' : 'done';
  if (reason === 'cancelled') return isLeft(await work.confirmCancel(job)) ? 'unknown' : 'cancelled';
  if (reason === 'late') return failJob(context, claimed, { kind: 'dead', reason: 'The deadline passed.' });
  if (reason === 'drained' && outcome.kind === 'again')
    return isLeft(await work.releaseClaim(job)) ? 'unknown' : 'given-back';
  return failJob(context, claimed, outcome);
};

/** `performed` is called when the job's slot is free; its end is still to be recorded. */
const processJob = async (
  context: WorkerContext,
  claimed: ClaimedJob,
  performed: (milliseconds: number) => void,
): Promise<void> => {
  const { queueMetrics } = context;
  const began = performance.now();
  const outcome = await performWithinGrace(context, claimed);
  performed(performance.now() - began);
  await claimed.end();
  // If the report fails, the claim expires and the job is claimed again.
  queueMetrics.ended(await settleJob(context, claimed, outcome), (performance.now() - began) / 1000);
};

/** Of a job that did not begin. Where its claim has ended meanwhile, nothing changes. */
const releaseJob = async ({ deps, queueMetrics }: WorkerContext, claimed: ClaimedJob): Promise<void> => {
  const began = performance.now();
  await claimed.end();
  const released = await deps.work.releaseClaim(claimed.job);
  const how = isLeft(released) ? 'unknown' : 'given-back';
  queueMetrics.ended(how, (performance.now() - began) / 1000);
};

/** Undefined: the store does not answer. */
const claimJobs = async (context: WorkerContext, limit: number): Promise<readonly Job[] | undefined> => {
  const { handler, deps, queueMetrics, worker } = context;
  const { queue, overall: concurrency = unlimited, perTenant = unlimited } = handler;
  const milliseconds = handler.claimMilliseconds ?? defaultClaimMilliseconds;
  const jobs = await deps.work.claim({ queue, worker, limit, concurrency, perTenant, milliseconds });
  if (isLeft(jobs)) return undefined;
  queueMetrics.claimed(jobs.right.length);
  return jobs.right;
};

interface Sweeping {
  readonly signal: AbortSignal;
  /** Nothing runs and nothing waits, so no claim can be lost. */
  readonly isQuiet: () => boolean;
}

/** Ends claims of workers that are gone, also while this one has no capacity to claim. */
const sweepContinuously = async (
  { handler, deps, wakeSignal }: WorkerContext,
  { signal, isQuiet }: Sweeping,
): Promise<void> => {
  // Workers that began together must not sweep together for ever: a job that is queued then waits for all of them.
  for (let milliseconds = sweepMilliseconds * Math.random(); ; milliseconds = sweepMilliseconds) {
    const due = performance.now() + milliseconds;
    await pause(milliseconds, signal);
    if (signal.aborted) return;
    // This worker stood still: its claims are renewed before they are looked at.
    if (performance.now() - due > lateSweepMilliseconds) continue;
    if (isQuiet()) continue;
    const swept = await deps.work.sweep(handler.queue);
    if (!isLeft(swept) && swept.right > 0) wakeSignal.notify();
  }
};

export const runWorker = (handler: JobHandler, deps: WorkerDeps): RunningWorker => {
  const draining = new AbortController();
  const drainDeadline = new AbortController();
  // Each claim listens for it.
  setMaxListeners(0, drainDeadline.signal);
  const running = new Set<Promise<void>>();
  const context: WorkerContext = {
    handler,
    deps,
    queueMetrics: openQueueMetrics(handler.queue, deps),
    wakeSignal: createWakeSignal(),
    worker: copyName(),
    signal: drainDeadline.signal,
  };
  const { wakeSignal } = context;
  let canClaim = true;
  /** Counts notifications, so that one that arrives during a claim is not missed. */
  let notifications = 0;

  let activeAt = performance.now();
  const markActive = (): void => {
    activeAt = performance.now();
  };
  const { quietAfterMilliseconds = defaultQuietAfterMilliseconds } = deps;
  const isQuiet = (): boolean => performance.now() - activeAt >= quietAfterMilliseconds;

  let performing = 0;
  const notify = (): void => {
    markActive();
    notifications += 1;
    wakeSignal.notify();
  };
  const track = (work: Promise<void>): void => {
    const tracked = work.finally(() => {
      running.delete(tracked);
      notify();
    });
    running.add(tracked);
  };
  const ready = createReadyJobs({
    // A job that is held counts as running, so where that is limited it would take the place of one that could run.
    capacity: handler.overall === undefined && handler.perTenant === undefined ? handler.concurrency : 0,
    release: (claimed) => track(releaseJob(context, claimed)),
  });
  const start = (claimed: ClaimedJob): void => {
    performing += 1;
    const performed = (milliseconds: number): void => {
      performing -= 1;
      ready.performed(milliseconds);
      const next = ready.take();
      if (next !== undefined) start(next);
      notify();
    };
    track(processJob(context, claimed, performed));
  };
  const accept = (job: Job, sentAt: number): void => {
    const milliseconds = handler.claimMilliseconds ?? defaultClaimMilliseconds;
    const { queue, key } = job;
    const renewedLate = (lateMilliseconds: number): void =>
      deps.log.warn(
        { queue, key, lateMilliseconds: Math.round(lateMilliseconds) },
        'a claim was renewed late: this worker stood still, or its machine is too busy',
      );
    const options = { milliseconds, sentAt, drainDeadline: drainDeadline.signal, renewedLate };
    const claimed = renewClaim(deps.work, job, options);
    if (performing < handler.concurrency) start(claimed);
    else ready.add(claimed);
  };
  const claimContinuously = async (): Promise<void> => {
    const { pollMilliseconds = 250 } = deps;
    while (!draining.signal.aborted) {
      const notified = notifications;
      // Ends are recorded meanwhile, as long as not too many of them wait for the store.
      const slots = handler.concurrency - performing + ready.capacity() - ready.size();
      const free = Math.min(slots, maxUnrecorded * handler.concurrency - running.size);
      const sentAt = performance.now();
      const jobs = free > 0 ? await claimJobs(context, free) : [];
      canClaim = jobs !== undefined;
      for (const job of jobs ?? []) accept(job, sentAt);
      if (jobs === undefined || jobs.length > 0) markActive();
      if (free > 0 && (jobs?.length === free || (canClaim && notifications !== notified))) continue;
      const wait = isQuiet() ? quietPollMilliseconds : pollMilliseconds;
      await wakeSignal.wait(wait * (0.5 + Math.random()), draining.signal);
    }
  };

  /** Waiting jobs may be delayed or beyond a limit: no notification is sent when they become claimable. */
  const counted = (counts: QueueCounts | undefined): void => {
    const wasQuiet = isQuiet();
    if (counts !== undefined && counts.waiting + counts.running === 0) return;
    markActive();
    if (wasQuiet) notify();
  };

  const claiming = claimContinuously();
  const watching = context.queueMetrics.watch(draining.signal, counted);
  const sweeping = sweepContinuously(context, { signal: draining.signal, isQuiet });
  return {
    queue: handler.queue,
    running: () => running.size,
    canClaim: () => canClaim,
    notify,
    close: async () => {
      draining.abort();
      ready.close();
      await Promise.all([claiming, watching, sweeping]);
      const over = new AbortController();
      const deadline = pause(deps.drainMilliseconds ?? 8_000, over.signal).then(() => drainDeadline.abort());
      await Promise.all(running);
      over.abort();
      await deadline;
    },
  };
};
