/** A runner: takes jobs, reports their begin and end until it is answered, and stops a job whose lease it cannot keep. */
import type { JobId, RunnerId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import type { Assignment, FromRunner, ToRunner } from '../../../domain/workflow/protocol/runner';
import { type Lease, openLease } from '../../../packages/runner/src/control-plane/job-lease';
import type { World } from './ports';
import type { ServiceCopy } from './service-copy';

export type Result = 'success' | 'failure' | 'canceled';

/** An end that a copy confirmed: the log must have it. */
export interface ConfirmedEnd {
  readonly jobId: JobId;
  readonly epoch: number;
  readonly result: Result;
}

export interface RunnerOptions {
  readonly runnerId: RunnerId;
  readonly credential: string;
  readonly slots: number;
  /** Copies that can be reached now. */
  readonly copies: () => readonly ServiceCopy[];
  readonly confirmed: ConfirmedEnd[];
}

interface RunningJob {
  readonly assignment: Assignment;
  readonly lease: Lease;
  /** Signals the job to end; some programs ignore it. */
  cancel: () => void;
  isOver: boolean;
}

export interface SimulatedRunner {
  readonly owner: () => string;
  readonly start: () => void;
  readonly crash: () => void;
  readonly jobs: () => number;
  /** The connection breaks; what was on its way is lost. */
  readonly disconnect: () => void;
}

/** A socket without an answer for so long is given up. */
const silentMilliseconds = 2 * limits.heartbeatSeconds * 1_000;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Messages of one direction arrive in their order, or not at all. */
const orderedChannel = <Message>(deliver: (message: Message) => Promise<void>) => {
  let last = Promise.resolve();
  let isBroken = false;
  return {
    send: (message: Message): void => {
      last = last.then(async () => {
        if (!isBroken) await deliver(message);
      });
    },
    break: (): void => {
      isBroken = true;
    },
  };
};

export const createRunner = (world: World, options: RunnerOptions): SimulatedRunner => {
  const { scheduler, random } = world;
  const { runnerId, credential, slots, copies, confirmed } = options;
  let incarnation = 0;
  let owner = runnerId as string;
  let jobs = new Map<JobId, RunningJob>();
  /** Over this connection. */
  let received = 0;
  let disconnect = (): void => undefined;
  let send: (message: FromRunner) => void = () => undefined;

  const over = (job: RunningJob): void => {
    if (job.isOver) return;
    job.isOver = true;
    job.lease.close();
    if (jobs.get(job.assignment.jobId) === job) jobs.delete(job.assignment.jobId);
    send({ type: 'ready', slots: Math.max(0, slots - jobs.size), assignments: received });
  };

  /** 0: lost on its way or on its way back. */
  const deliver = async (me: string, path: string, jobId: JobId, body: unknown): Promise<number> => {
    const reachable = copies();
    if (reachable.length === 0) return 0;
    const copy = random.pick(reachable);
    const request = { jobId, body, credential };
    await scheduler.step(me, `sends ${path} ${jobId}`, () => undefined);
    if (random.chance(world.faultRate)) return 0;
    // The same request twice, as after a lost connection.
    if (random.chance(world.faultRate)) void copy.request(path, request);
    const status = await copy.request(path, request);
    const isLost = random.chance(world.faultRate);
    return scheduler.step(me, `${isLost ? 'does not see' : 'sees'} ${status} of ${path} ${jobId}`, () =>
      isLost ? 0 : status,
    );
  };

  /** Until it is answered. */
  const report = async (job: RunningJob, me: string, path: string, body: object): Promise<number> => {
    const { jobId, epoch } = job.assignment;
    while (!job.isOver) {
      const status = await deliver(me, path, jobId, { epoch, ...body });
      if (status !== 0 && status < 500) return status;
      await pause(1_000);
    }
    return 0;
  };

  const perform = async (me: string, job: RunningJob): Promise<void> => {
    const { jobId, epoch, name, timeoutMinutes } = job.assignment;
    // Programs that never end are left to the time limit of their job.
    const milliseconds = timeoutMinutes === 1 && random.chance(0.5) ? 3_600_000 : 100 + random.below(20_000);
    const program = new Promise<Result>((resolve) => {
      let isStuck = false;
      setTimeout(() => {
        if (!isStuck) resolve(random.chance(0.8) ? 'success' : 'failure');
      }, milliseconds);
      // Some programs ignore the signal until the service ends the job.
      const ignores = random.chance(0.2);
      job.cancel = () => {
        isStuck ||= ignores;
        if (!ignores) setTimeout(() => resolve('canceled'), random.below(8_000));
      };
    });
    if ((await report(job, me, '/runner/jobs/:jobId/start', {})) !== 204) return over(job);
    const result = await program;
    const outputs = { go: random.chance(0.7) ? 'yes' : 'no', matrix: name.length % 2 === 0 ? '["x","y"]' : '["x"]' };
    const end = { result, reason: null, outputs, steps: [], annotations: [], summary: null, logChunks: 0 };
    const status = await report(job, me, '/runner/jobs/:jobId/complete', end);
    if (status === 204) confirmed.push({ jobId, epoch, result });
    over(job);
  };

  const take = (me: string, assignment: Assignment): void => {
    const { jobId, epoch, leaseSeconds } = assignment;
    const known = jobs.get(jobId);
    if (known !== undefined && known.assignment.epoch >= epoch) return;
    if (known !== undefined) over(known);
    const lease = openLease(
      { seconds: leaseSeconds, sentAt: performance.now(), marginMilliseconds: 5_000 },
      // A frozen one notices later.
      () => void scheduler.step(me, `gives ${jobId} up`, () => over(job)),
    );
    const job: RunningJob = { assignment, lease, cancel: () => undefined, isOver: false };
    jobs.set(jobId, job);
    void perform(me, job);
  };

  /** Times of heartbeats without an answer, by job, the oldest first. */
  const unanswered = new Map<JobId, number[]>();
  const receive = (me: string, message: ToRunner): void => {
    if (message.type === 'assign') {
      received += 1;
      take(me, message.assignment);
    }
    if (message.type === 'assign' || message.type === 'drain' || message.jobId === null) return;
    const sentAt = message.type === 'heartbeat' ? unanswered.get(message.jobId)?.shift() : undefined;
    const job = jobs.get(message.jobId);
    if (job === undefined) return;
    if (message.type === 'heartbeat') {
      if (message.leaseSeconds === 0) over(job);
      else if (sentAt !== undefined) job.lease.confirm(message.leaseSeconds, sentAt);
      if (message.cancel !== null) job.cancel();
      return;
    }
    if (job.assignment.epoch !== message.epoch) return;
    if (message.type === 'stale_epoch') over(job);
    else job.cancel();
  };

  const connect = async (me: string): Promise<void> => {
    const reachable = copies();
    await scheduler.step(me, 'connects', () => undefined);
    if (reachable.length === 0) return;
    const toMe = orderedChannel<ToRunner>((message) =>
      scheduler.step(me, `receives ${message.type}`, () => receive(me, message)),
    );
    const copy = random.pick(reachable);
    let ended: () => void = () => undefined;
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const transmit = await copy.connect(credential, { receive: toMe.send, closed: () => ended() });
    if (transmit === undefined) return;
    unanswered.clear();
    const toCopy = orderedChannel<FromRunner>((message) =>
      scheduler.step(me, `${message.type} arrives at ${copy.owner}`, () => transmit(message)),
    );
    send = toCopy.send;
    received = 0;
    disconnect = ended;
    send({ type: 'ready', slots: Math.max(0, slots - jobs.size), assignments: received });
    await end;
    toMe.break();
    toCopy.break();
    send = () => undefined;
  };

  const sendHeartbeats = (me: string): void => {
    const now = performance.now();
    if ([...unanswered.values()].some(([oldest = now]) => now - oldest > silentMilliseconds)) disconnect();
    for (const { assignment } of jobs.values()) {
      unanswered.set(assignment.jobId, [...(unanswered.get(assignment.jobId) ?? []), now]);
      send({
        type: 'heartbeat',
        runner_id: runnerId,
        job_id: assignment.jobId,
        lease_epoch: assignment.epoch,
        timestamp: '2026-11-28T00:00:00.000Z' as never,
        current_step: null,
        log_offset: 0,
      });
    }
    setTimeout(() => void scheduler.step(me, 'beats', () => sendHeartbeats(me)), limits.heartbeatSeconds * 1_000);
  };

  return {
    owner: () => owner,
    start: () => {
      incarnation += 1;
      owner = `${runnerId}#${incarnation}`;
      jobs = new Map();
      const me = owner;
      sendHeartbeats(me);
      const connecting = async (): Promise<void> => {
        while (!scheduler.isCrashed(me)) {
          await connect(me);
          await pause(500);
        }
      };
      void connecting();
    },
    crash: () => {
      scheduler.crash(owner);
      for (const { lease } of jobs.values()) lease.close();
      jobs = new Map();
      disconnect();
      send = () => undefined;
    },
    jobs: () => jobs.size,
    disconnect: () => disconnect(),
  };
};
