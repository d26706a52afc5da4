/**
 * Gives jobs to the idle runners that this copy of the service is connected with, and notifies runners of cancels and lost leases. Jobs are
 * looked for when one becomes claimable, when a runner becomes idle, and every few seconds in case a wake-up was lost.
 */
import { isLeft } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { JobId, RunnerId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import type { FromRunner, HeartbeatAnswer, ToRunner } from '../../../domain/workflow/protocol/runner';
import { runStream } from '../../../domain/workflow/run/events';
import { isActive } from '../../../domain/workflow/run/state';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { JobLease } from '../../../infra/ports/workflow/job-claims';
import { trackOutage } from '../../../infra/server/runtime/outage';
import type { WorkflowAdapters } from '../adapters';
import { runnerPrefix, runPrefix } from '../runs/run-registry';
import { createAssigner } from './assign-job';
import type { AuthenticatedRunner } from './authenticate-runner';
import { type CancelKind, cancelKindOf, findActiveLease, type LeaseRenewals } from './job-lease';

type HeartbeatOf = Extract<FromRunner, { type: 'heartbeat' }>;
type Answered = HeartbeatAnswer | 'unavailable';

interface KnownLease {
  readonly lease: JobLease;
  cancel: CancelKind;
}

export interface RunnerConnection {
  readonly runner: AuthenticatedRunner;
  readonly send: (message: ToRunner) => void;
  /** The runner was removed. */
  readonly end: () => void;
}

export interface ConnectedRunner {
  /** `received`: how many assignments the runner had received when it counted its slots. Left out: all. */
  readonly setSlots: (slots: number, received?: number) => void;
  readonly heartbeat: (heartbeat: HeartbeatOf) => Promise<void>;
  readonly close: () => void;
}

interface Connected extends RunnerConnection {
  slots: number;
  /** Assignments over this connection, with those under way. */
  assignments: number;
  isDraining: boolean;
  readonly leases: Map<JobId, KnownLease>;
}

export interface Dispatcher {
  readonly connect: (connection: RunnerConnection) => ConnectedRunner;
  /** A runner without a job has called. Heartbeats of jobs imply the same. */
  readonly recordSeen: (runner: AuthenticatedRunner) => void;
  /** Of a runner that calls: answers for how long the lease is its own. */
  readonly heartbeat: (runner: AuthenticatedRunner, heartbeat: { jobId: JobId; epoch: number }) => Promise<Answered>;
  readonly background: readonly Promise<void>[];
}

const lookMilliseconds = 5_000;
const recordSeenMilliseconds = 1_000;
const lost: HeartbeatAnswer = { leaseSeconds: 0, cancel: null };

/** Runners of one kind may have the same jobs. */
const kindOf = ({ runner: { tenantId, type, labels, isolation } }: Connected): string =>
  JSON.stringify([tenantId, type, [...labels].sort(), isolation]);

export const openDispatcher = (adapters: WorkflowAdapters, renewals: LeaseRenewals): Dispatcher => {
  const { claims, log, runs, signal } = adapters;
  const assignNext = createAssigner(adapters);
  const connected = new Set<Connected>();
  let seen = new Map<RunnerId, AuthenticatedRunner>();
  let isLooking = false;
  let isDue = false;
  const assigning = trackOutage(log, {
    failing: 'a job could not be assigned; it is tried again',
    recovered: 'jobs are assigned again',
  });
  const seeing = trackOutage(log, {
    failing: 'which runners are there could not be noted',
    recovered: 'which runners are there is noted again',
  });

  const assign = async (one: Connected): Promise<'given' | 'none'> => {
    one.slots -= 1;
    one.assignments += 1;
    let assigned: Awaited<ReturnType<typeof assignNext>> | undefined;
    try {
      assigned = await assignNext(one.runner);
    } finally {
      if (assigned === undefined || isLeft(assigned) || assigned.right === undefined) {
        one.slots += 1;
        one.assignments -= 1;
      }
    }
    if (isLeft(assigned)) assigning.failed({ code: assigned.left.code });
    else assigning.recovered();
    if (isLeft(assigned) || assigned.right === undefined) return 'none';
    const { lease, assignment } = assigned.right;
    one.leases.set(lease.jobId, { lease, cancel: null });
    // A runner that is gone meanwhile never renews the lease, so the job is tried again.
    one.send({ type: 'assign', assignment });
    return 'given';
  };

  const lookOnce = async (): Promise<void> => {
    const without = new Set<string>();
    for (const one of [...connected]) {
      while (connected.has(one) && one.slots > 0 && !one.isDraining && !signal.aborted) {
        const kind = kindOf(one);
        if (without.has(kind)) break;
        if ((await assign(one)) === 'none') without.add(kind);
      }
    }
  };
  /** One pass at a time; what happens during one causes another. */
  const look = (): void => {
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    const passes = async (): Promise<void> => {
      while (isDue && !signal.aborted) {
        isDue = false;
        await lookOnce();
      }
    };
    passes()
      .catch((error: unknown) => log.error({ error }, 'defect in giving jobs to runners'))
      .finally(() => {
        isLooking = false;
      });
  };

  const heartbeat = async (
    { runner, leases }: Pick<Connected, 'runner' | 'leases'>,
    { jobId, epoch }: { readonly jobId: JobId; readonly epoch: number },
  ): Promise<Answered> => {
    let known = leases.get(jobId);
    if (known?.lease.epoch !== epoch) {
      // Assigned before this connection, or by another copy.
      const found = await findActiveLease(adapters, { runner, jobId, epoch });
      if (isLeft(found)) return found.left.problem.status === 409 ? lost : 'unavailable';
      known = { lease: found.right.lease, cancel: cancelKindOf(found.right) };
      leases.set(jobId, known);
    }
    const held = await renewals.renew(known.lease);
    if (held === undefined) return 'unavailable';
    if (held) return { leaseSeconds: limits.leaseSeconds, cancel: known.cancel };
    leases.delete(jobId);
    return lost;
  };

  /** The run changed: which leases of connected runners does it end, and which jobs are to be canceled? */
  const reviewRun = async (stream: string): Promise<void> => {
    const concerned = [...connected].flatMap((one) =>
      [...one.leases.values()]
        .filter(({ lease }) => runStream(lease.tenantId, lease.runId) === stream)
        .map((known) => ({ one, known })),
    );
    const [first] = concerned;
    if (first === undefined) return;
    const found = await runs.cached(first.known.lease);
    const run = isLeft(found) || found.right.state.kind === 'none' ? undefined : found.right.state;
    for (const { one, known } of concerned) {
      const { jobId, epoch } = known.lease;
      // The next heartbeat reads the run.
      if (run === undefined) one.leases.delete(jobId);
      if (run === undefined) continue;
      const job = run.jobs.get(jobId);
      if (job === undefined || !isActive(job) || job.epoch !== epoch) {
        one.leases.delete(jobId);
        one.send({ type: 'stale_epoch', jobId, epoch });
        continue;
      }
      const cancel = cancelKindOf({ run, job });
      if (cancel !== null && cancel !== known.cancel) one.send({ type: 'cancel', jobId, epoch, kind: cancel });
      known.cancel = cancel;
    }
  };
  const reviewRunner = ({ type, stream }: StoredEvent): void => {
    const parts = parseStreamName(stream);
    for (const one of [...connected]) {
      if (one.runner.owner !== parts?.tenant || one.runner.runnerId !== parts.id) continue;
      if (type.startsWith('workflow.RunnerRemoved.')) one.end();
      if (!type.startsWith('workflow.RunnerDrained.')) continue;
      one.isDraining = true;
      one.send({ type: 'drain' });
    }
  };

  const unlisten = runs.listen({
    onEvent: (stored) => {
      if (stored.stream.startsWith(runnerPrefix)) return reviewRunner(stored);
      if (!stored.stream.startsWith(runPrefix)) return;
      reviewRun(stored.stream).catch((error: unknown) => log.error({ error }, 'defect in following runs for runners'));
    },
  });
  const recordSeen = (runner: AuthenticatedRunner): void => void seen.set(runner.runnerId, runner);
  /** All that were seen within a second are one statement. Where it fails, their next heartbeats repeat it. */
  const saveSeen = async (): Promise<void> => {
    if (seen.size === 0) return;
    const runners = [...seen.values()];
    seen = new Map();
    const saved = await claims.recordSeen(runners);
    if (isLeft(saved)) seeing.failed({ code: saved.left.code });
    else seeing.recovered();
  };
  const watchClaims = async (): Promise<void> => {
    const watch = claims.watch(look);
    const timers = [setInterval(look, lookMilliseconds), setInterval(() => void saveSeen(), recordSeenMilliseconds)];
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const timer of timers) clearInterval(timer);
    watch.close();
    unlisten();
  };

  return {
    connect: (connection) => {
      const one: Connected = {
        ...connection,
        slots: 0,
        assignments: 0,
        isDraining: connection.runner.isDraining,
        leases: new Map(),
      };
      connected.add(one);
      recordSeen(one.runner);
      if (one.isDraining) one.send({ type: 'drain' });
      return {
        setSlots: (slots, received = one.assignments) => {
          one.slots = slots - (one.assignments - received);
          if (one.slots > 0) look();
        },
        heartbeat: async ({ job_id: jobId, lease_epoch: epoch }) => {
          if (jobId === null || epoch === null) {
            recordSeen(one.runner);
            one.send({ type: 'heartbeat', jobId: null, leaseSeconds: limits.leaseSeconds, cancel: null });
            return;
          }
          const answer = await heartbeat(one, { jobId, epoch });
          // No answer is better than a wrong one: the runner counts on its lease only as long as it knows it.
          if (answer !== 'unavailable') one.send({ type: 'heartbeat', jobId, ...answer });
        },
        close: () => void connected.delete(one),
      };
    },
    recordSeen,
    heartbeat: (runner, named) => heartbeat({ runner, leases: new Map() }, named),
    background: [watchClaims()],
  };
};
