/** Works on the jobs of one queue; what comes of a job is reported as commands whose ids are the job's, so it counts once. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Send } from '../../../domain/kernel/process';
import { backoffMilliseconds, pause } from '../../../infra/backoff';
import type { Log } from '../../../infra/ports/log';
import type { Metrics } from '../../../infra/ports/metrics';
import type { Job, WorkQueue } from '../../../infra/ports/work-queue';
import type { HandleDeps } from '../request';
import { type Bell, openBell } from './bell';
import type { AnyTargets } from './bound';
import { type Claimed, holdClaim } from './claim';
import { type Reported, report } from './report';
import { openWorkFigures, type WorkFigures } from './work-figures';

export interface JobFailure {
  /** `never`: to try again would end the same way. */
  readonly kind: 'again' | 'never';
  readonly reason: string;
}

export interface Workshop {
  readonly queue: string;
  /** In this process. */
  readonly concurrency: number;
  /** Of all processes together; without limit when left out. */
  readonly overall?: number;
  readonly perTenant?: number;
  readonly claimMilliseconds?: number;
  readonly targets: AnyTargets;
  /** The signal aborts when the claim is lost, or the process cannot wait any longer. */
  readonly perform: (job: Job, signal: AbortSignal) => Promise<Either<JobFailure, readonly Send[]>>;
}

export interface WorkerDeps extends HandleDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly work: WorkQueue;
  readonly pollMilliseconds?: number;
  /** How long jobs under way may take once the process drains; then they are given back. */
  readonly drainMilliseconds?: number;
  /** The pause before a job's second attempt; it doubles. */
  readonly retryMilliseconds?: number;
}

export interface RunningWorker {
  readonly close: () => Promise<void>;
}

interface Working {
  readonly shop: Workshop;
  readonly deps: WorkerDeps;
  readonly figures: WorkFigures;
  readonly bell: Bell;
  /** Aborted when jobs under way have to end. */
  readonly hurry: AbortSignal;
}

const longestRetryMilliseconds = 300_000;
const unlimited = 1_000_000;

const outcomeOf = async ({ shop, deps }: Working, job: Job, signal: AbortSignal): Promise<Reported> => {
  try {
    const made = await shop.perform(job, signal);
    if (isLeft(made)) return { kind: made.left.kind === 'never' ? 'dead' : 'again', reason: made.left.reason };
    return await report(deps, shop.targets, [job, made.right, signal]);
  } catch (error) {
    deps.log.warn({ error, queue: job.queue, key: job.key, attempt: job.attempt }, 'a job failed');
    return { kind: 'again', reason: `${error instanceof Error ? error.name : 'Something'} was thrown.` };
  }
};

/** A part of the trace that asked for the job; one that nobody traced is worked on without one. */
const traced = ({ deps: { trace } }: Working, { queue, cause, attempt }: Job, work: () => Promise<Reported>) => {
  if (trace === undefined || cause.traceparent === undefined) return work();
  const spec = { name: `work ${queue}`, kind: 'consumer', under: { parent: cause.traceparent } } as const;
  const about = { attributes: { 'septet.attempt': attempt }, requestId: cause.correlationId };
  return trace.during({ ...spec, ...about }, work, ({ kind }) => (kind === 'done' ? {} : { failed: kind }));
};

const settle = async ({ deps, hurry }: Working, { job, isLost }: Claimed, outcome: Reported): Promise<string> => {
  const { work, retryMilliseconds = 1_000 } = deps;
  if (isLost()) return 'lost';
  if (outcome.kind === 'done') return isLeft(await work.complete(job)) ? 'unknown' : 'done';
  if (hurry.aborted && outcome.kind === 'again') return isLeft(await work.giveBack(job)) ? 'unknown' : 'given-back';
  const pauseFor = backoffMilliseconds(job.attempt - 1, retryMilliseconds, longestRetryMilliseconds);
  const againInMilliseconds = outcome.kind === 'dead' ? undefined : pauseFor;
  const failed = await work.fail(job, { reason: outcome.reason, againInMilliseconds });
  if (isLeft(failed)) return 'unknown';
  const isDead = outcome.kind === 'dead' || job.attempt >= job.mostAttempts;
  const { queue, key, tenant } = job;
  if (isDead) deps.log.error({ queue, key, tenant, reason: outcome.reason }, 'a job is a dead letter now');
  return isDead ? 'dead' : 'again';
};

const workOn = async (working: Working, job: Job): Promise<void> => {
  const { shop, deps, figures, hurry } = working;
  const began = performance.now();
  const claimed = holdClaim(deps.work, job, { milliseconds: shop.claimMilliseconds ?? 30_000, hurry });
  const outcome = await traced(working, job, () => outcomeOf(working, job, claimed.signal));
  await claimed.end();
  // What cannot be told now is found out when the claim ends by itself.
  figures.ended(await settle(working, claimed, outcome), (performance.now() - began) / 1000);
};

const claimSome = async ({ shop, deps, figures }: Working, limit: number): Promise<readonly Job[]> => {
  const { queue, overall = unlimited, perTenant = unlimited, claimMilliseconds = 30_000 } = shop;
  const claim = { queue, limit, concurrency: overall, perTenant, milliseconds: claimMilliseconds };
  const jobs = await deps.work.claim(claim);
  if (isLeft(jobs)) return [];
  figures.claimed(jobs.right.length);
  return jobs.right;
};

const keepClaiming = async (working: Working, running: Set<Promise<void>>, signal: AbortSignal): Promise<void> => {
  const { shop, deps, bell } = working;
  const { pollMilliseconds = 250 } = deps;
  while (!signal.aborted) {
    const free = shop.concurrency - running.size;
    const jobs = free > 0 ? await claimSome(working, free) : [];
    for (const job of jobs) {
      const doing = workOn(working, job).finally(() => {
        running.delete(doing);
        bell.ring();
      });
      running.add(doing);
    }
    if (jobs.length < free || free === 0) await bell.wait(pollMilliseconds * (0.5 + Math.random()), signal);
  }
};

export const runWorker = (shop: Workshop, deps: WorkerDeps): RunningWorker => {
  const draining = new AbortController();
  const hurry = new AbortController();
  const running = new Set<Promise<void>>();
  const figures = openWorkFigures(shop.queue, deps);
  const working = { shop, deps, figures, bell: openBell(), hurry: hurry.signal };
  const claiming = keepClaiming(working, running, draining.signal);
  const watching = figures.watch(draining.signal);
  return {
    close: async () => {
      draining.abort();
      await Promise.all([claiming, watching]);
      const over = new AbortController();
      const patience = pause(deps.drainMilliseconds ?? 8_000, over.signal).then(() => hurry.abort());
      await Promise.all(running);
      over.abort();
      await patience;
    },
  };
};
