/** The runner: takes jobs while it has room, and keeps their leases. */
import { readdir, rm } from 'node:fs/promises';
import { homedir, hostname, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { textForOperators } from '../../../domain/kernel/rejection';
import type { JobId, RunnerId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import type { Assignment, Heartbeat, ToRunner } from '../../../domain/workflow/protocol/runner';
import { describeProcess, lockDirectory } from '../../data-directory/src/index';
import { loadExpressionLibrary, openExpressions } from '../../workflow-expressions/src/index';
import { openConnection } from './control-plane/connection';
import { obtainCredential } from './control-plane/credential';
import { type Lease, openLease } from './control-plane/job-lease';
import { openRequests } from './control-plane/requests';
import { type JobEnd, type RunningJob, runJob } from './job/run-job';
import type { StopPauses } from './job/run-program';
import type { LogLimits } from './logs/log-writer';
import { logToStandardError, type RunnerLog } from './runner-log';
import { openBubblewrap } from './sandbox/bubblewrap';
import type { JobLimits, JobSandboxes } from './sandbox/job-sandbox';
import { openPlain } from './sandbox/plain';

export interface RunnerOptions {
  /** Of the system: `https://ci.example.org`. */
  readonly url: string;
  /** Stands for the address where that one changes: a credential is used again at the installation of the same name. */
  readonly installation?: string;
  /** The registration token: needed once for a directory. */
  readonly token?: string;
  /** Credential, sandboxes and files on their way; `~/.septet-runner` by default. One runner at a time has it. */
  readonly directory?: string;
  /** The machine's name by default. */
  readonly name?: string;
  /** Jobs that need other labels go elsewhere; `linux` and the isolation are always there. */
  readonly labels?: readonly string[];
  /** Jobs at once; 1 by default. */
  readonly slots?: number;
  /** `bwrap` by default, or the runner does not start. `none`: jobs can do what this program's user can. */
  readonly isolation?: 'bwrap' | 'none';
  /** In `bwrap`: `none` by default. `host`: jobs reach what the machine reaches, its own loopback services included. */
  readonly network?: 'none' | 'host';
  /** Of each job. */
  readonly limits?: Partial<JobLimits>;
  readonly log?: RunnerLog;
  readonly timing?: Partial<RunnerTiming>;
}

export interface RunnerTiming {
  readonly heartbeatMilliseconds: number;
  /** A job ends so long before its lease would. */
  readonly leaseMarginMilliseconds: number;
  readonly pauses: StopPauses;
  readonly log: Partial<LogLimits>;
}

export type RunnerEnd =
  /** `drain` was called, and its jobs have ended. */
  | 'drained'
  | 'closed'
  /** The service knows the credential no more. */
  | 'unauthenticated';

export interface Runner {
  readonly runnerId: RunnerId;
  readonly name: string;
  readonly isolation: 'bwrap' | 'none';
  readonly ended: Promise<RunnerEnd>;
  /** Takes no more jobs, and ends after the running ones. */
  readonly drain: () => void;
  /** Ends at once. Jobs that run are lost, and given to others when their leases end. */
  readonly close: () => Promise<void>;
}

const defaultTiming: RunnerTiming = {
  heartbeatMilliseconds: limits.heartbeatSeconds * 1_000,
  leaseMarginMilliseconds: 5_000,
  pauses: { interrupt: 7_500, terminate: 2_500 },
  log: {},
};

const defaultLog: LogLimits = {
  logBytes: limits.logBytes,
  chunkBytes: limits.logChunkBytes,
  chunkMilliseconds: 150,
  bufferBytes: 8 * 2 ** 20,
  stallMilliseconds: 60_000,
  drainMilliseconds: 60_000,
};

const defaultLimits = (slots: number): JobLimits => ({
  memoryBytes: Math.floor((totalmem() * 0.75) / slots),
  diskBytes: 20 * 2 ** 30,
  processes: 4_096,
  openFiles: 4_096,
});

/** Ended jobs that are remembered, so that a repeated assignment is not performed again. */
const mostRemembered = 1_000;

interface Job {
  readonly assignment: Assignment;
  readonly running: RunningJob;
  readonly lease: Lease;
}

const openSandboxesFor = async (
  options: RunnerOptions,
  directory: string,
  slots: number,
): Promise<Either<string, JobSandboxes>> => {
  if (options.isolation === 'none') return right(await openPlain(join(directory, 'jobs')));
  const opened = await openBubblewrap({
    directory: join(directory, 'sandboxes'),
    network: options.network ?? 'none',
    limits: { ...defaultLimits(slots), ...options.limits },
  });
  return isLeft(opened) ? left(`Jobs cannot be isolated here. ${textForOperators(opened.left)}`) : opened;
};

/** Checkouts and artifacts on their way when a runner was killed. */
const removeLeftovers = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((each) => /^(?:checkout|artifact)-/.test(each)))
    await rm(join(directory, name), { recursive: true, force: true });
};

/** Left: why it cannot start. */
export const startRunner = async (options: RunnerOptions): Promise<Either<string, Runner>> => {
  const { url, name = hostname(), slots = 1, log = logToStandardError } = options;
  const directory = resolve(options.directory ?? join(homedir(), '.septet-runner'));
  const timing = { ...defaultTiming, ...options.timing };
  const locked = lockDirectory(directory, 'runner');
  if (isLeft(locked))
    return left(
      `Another runner, ${describeProcess(locked.left)}, uses ${directory}: end it, or name another directory.`,
    );
  const unlock = locked.right.release;
  const opened = await openSandboxesFor(options, directory, slots);
  if (isLeft(opened)) {
    unlock();
    return opened;
  }
  const sandboxes = opened.right;
  const labels = [
    ...new Set(['linux', sandboxes.isolation, ...(options.labels ?? [])].map((label) => label.toLowerCase())),
  ];
  const obtained = await obtainCredential({
    url,
    installation: options.installation ?? url,
    directory,
    token: options.token,
    name,
    labels,
    isolation: sandboxes.isolation,
  });
  if (isLeft(obtained)) {
    await sandboxes.close();
    unlock();
    return obtained;
  }
  await removeLeftovers(directory);
  const { runnerId, credential } = obtained.right;
  const requests = openRequests(url, credential);
  const expressions = openExpressions(await loadExpressionLibrary(), { for: 'step' });
  const closing = new AbortController();
  const jobs = new Map<JobId, Job>();
  /** The highest epoch of each job that was taken. */
  const taken = new Map<JobId, number>();
  let isDraining = false;
  let end: RunnerEnd = 'closed';

  const finish = (reason: RunnerEnd): void => {
    if (closing.signal.aborted) return;
    end = reason;
    closing.abort();
  };
  const finishIfDrained = (): void => {
    if (isDraining && jobs.size === 0) finish('drained');
  };
  const drain = (): void => {
    isDraining = true;
    connection.announceSlots();
    finishIfDrained();
  };
  const remember = ({ jobId, epoch }: Assignment): void => {
    taken.delete(jobId);
    taken.set(jobId, epoch);
    const [oldest] = taken.keys();
    if (taken.size > mostRemembered && oldest !== undefined) taken.delete(oldest);
  };
  const take = (assignment: Assignment): void => {
    const { jobId, epoch, attempt, leaseSeconds } = assignment;
    if ((taken.get(jobId) ?? 0) >= epoch) {
      log('info', 'a repeated assignment is left', { jobId, epoch });
      return;
    }
    // Its older attempt was lost, or the service would not assign it again.
    jobs.get(jobId)?.running.lose();
    remember(assignment);
    const running = runJob(
      {
        requests,
        baseUrl: url,
        expressions,
        sandboxes,
        runnerName: name,
        directory,
        logLimits: { ...defaultLog, ...timing.log },
        pauses: timing.pauses,
        log,
      },
      assignment,
    );
    const lease = openLease(
      { seconds: leaseSeconds, sentAt: performance.now(), marginMilliseconds: timing.leaseMarginMilliseconds },
      () => {
        log('warn', 'the lease of a job was not confirmed', { jobId, epoch });
        running.lose();
      },
    );
    const job: Job = { assignment, running, lease };
    jobs.set(jobId, job);
    log('info', 'a job begins', { jobId, attempt, epoch, name: assignment.name });
    const ended = (result: JobEnd | 'faulty'): void => {
      lease.close();
      if (jobs.get(jobId) === job) jobs.delete(jobId);
      log('info', 'a job has ended', { jobId, attempt, epoch, result });
      connection.announceSlots();
      finishIfDrained();
    };
    running.ended.then(ended, (error: Error) => {
      log('error', 'a job could not be performed', { jobId, error: error.message });
      ended('faulty');
    });
  };
  const jobOf = ({ jobId, epoch }: { readonly jobId: JobId; readonly epoch: number }): Job | undefined => {
    const job = jobs.get(jobId);
    return job?.assignment.epoch === epoch ? job : undefined;
  };
  const receive = (message: ToRunner, sentAt: number | undefined): void => {
    switch (message.type) {
      case 'assign':
        take(message.assignment);
        break;
      case 'cancel':
        jobOf(message)?.running.cancel(message.kind);
        break;
      case 'stale_epoch':
        jobOf(message)?.running.lose();
        break;
      case 'heartbeat': {
        const job = message.jobId === null ? undefined : jobs.get(message.jobId);
        if (message.leaseSeconds === 0) job?.running.lose();
        if (job === undefined || message.leaseSeconds === 0) break;
        if (sentAt !== undefined) job.lease.confirm(message.leaseSeconds, sentAt);
        if (message.cancel !== null) job.running.cancel(message.cancel);
        break;
      }
      case 'drain':
        drain();
        break;
    }
  };
  const heartbeats = (): readonly Heartbeat[] => {
    const common = { runner_id: runnerId, timestamp: new Date().toISOString() as Instant };
    const idle = { ...common, job_id: null, lease_epoch: null, current_step: null, log_offset: null };
    const busy = [...jobs.values()].map(({ assignment, running }) => {
      const { currentStep, logBytes } = running.progress();
      return {
        ...common,
        job_id: assignment.jobId,
        lease_epoch: assignment.epoch,
        current_step: currentStep,
        log_offset: logBytes,
      };
    });
    return busy.length === 0 ? [idle] : busy;
  };
  const connection = openConnection({
    url,
    credential,
    requests,
    heartbeatMilliseconds: timing.heartbeatMilliseconds,
    slots: () => (isDraining ? 0 : Math.max(0, slots - jobs.size)),
    heartbeats,
    received: receive,
    unauthenticated: () => finish('unauthenticated'),
    log,
    signal: closing.signal,
  });
  const ended = connection.ended.then(async () => {
    const running = [...jobs.values()];
    for (const { running: job } of running) job.lose();
    await Promise.allSettled(running.map(({ running: job }) => job.ended));
    await sandboxes.close();
    unlock();
    return end;
  });
  return right({
    runnerId,
    name,
    isolation: sandboxes.isolation,
    ended,
    drain,
    close: async () => {
      finish('closed');
      await ended;
    },
  });
};
