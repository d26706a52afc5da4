/** A runner whose jobs end at once. Now and then its connection breaks: after an assignment reached it, or with one on its way. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobId, RunnerId } from '../../../domain/workflow/ids';
import type { Assignment, ToRunner } from '../../../domain/workflow/protocol/runner';
import type { SocketClient } from '../http/socket-client';
import type { ServiceCopy } from './service-copy';

export interface PerformedJob {
  readonly jobId: JobId;
  readonly epoch: number;
  readonly runnerId: RunnerId;
}

export interface QuickRunnerOptions {
  readonly runnerId: RunnerId;
  readonly credential: string;
  /** Copies that run. */
  readonly copies: () => readonly ServiceCopy[];
  /** The one to connect with. */
  readonly nextCopy: () => ServiceCopy | undefined;
  /** After so many assignments over one connection it breaks. */
  readonly assignmentsPerConnection: number;
}

const heartbeatMilliseconds = 500;
const retryMilliseconds = 50;

export const startQuickRunner = (options: QuickRunnerOptions) => {
  const { runnerId, credential, copies, nextCopy, assignmentsPerConnection } = options;
  const begun: PerformedJob[] = [];
  const completed: PerformedJob[] = [];
  /** The names of the copies that assignments came from. */
  const assignedBy = new Set<string>();
  const jobs = new Map<JobId, number>();
  const performing = new Set<Promise<void>>();
  let client: SocketClient | undefined;
  let [received, broken, isStopped] = [0, 0, false];

  const announce = (): void =>
    client?.sendJson({ type: 'ready', slots: jobs.size === 0 ? 1 : 0, assignments: received });
  /** Until it is answered for good. True: recorded under this lease. */
  const report = async (jobId: JobId, what: string, body: object): Promise<boolean> => {
    for (let attempt = 0; !isStopped; attempt += 1) {
      const reachable = copies();
      const copy = reachable[attempt % Math.max(1, reachable.length)];
      const answer = await copy?.post(`/runner/jobs/${jobId}/${what}`, credential, body).catch(() => undefined);
      if (answer?.status === 204) return true;
      const code = answer === undefined ? '' : ((await answer.json()) as { readonly code?: string }).code;
      if (code === 'stale-epoch') return false;
      await sleep(retryMilliseconds);
    }
    return false;
  };
  const perform = async ({ jobId, epoch }: Assignment): Promise<void> => {
    jobs.set(jobId, epoch);
    const performed = { jobId, epoch, runnerId };
    if (await report(jobId, 'start', { epoch })) {
      begun.push(performed);
      const ended = { epoch, result: 'success', reason: null, outputs: {}, steps: [], annotations: [] };
      if (await report(jobId, 'complete', { ...ended, summary: null, logChunks: 0 })) completed.push(performed);
    }
    if (jobs.get(jobId) === epoch) jobs.delete(jobId);
    announce();
  };
  const sendHeartbeats = (): void => {
    const common = { runner_id: runnerId, timestamp: new Date().toISOString(), current_step: null, log_offset: null };
    for (const [jobId, epoch] of jobs)
      client?.sendJson({ type: 'heartbeat', ...common, job_id: jobId, lease_epoch: epoch });
  };
  const receive = (message: ToRunner, copy: ServiceCopy): void => {
    if (message.type !== 'assign') return;
    received += 1;
    assignedBy.add(copy.name);
    const isBreaking = received >= assignmentsPerConnection;
    if (isBreaking) {
      client?.socket.terminate();
      broken += 1;
    }
    // Every other time the assignment is lost with the connection.
    if (isBreaking && broken % 2 === 0) return;
    const work = perform(message.assignment).finally(() => performing.delete(work));
    performing.add(work);
  };
  const connect = async (): Promise<void> => {
    const copy = nextCopy();
    const opened = await copy?.runnerSocket(credential).catch(() => undefined);
    if (copy === undefined || opened === undefined) {
      await sleep(retryMilliseconds);
      return;
    }
    [client, received] = [opened, 0];
    announce();
    for (;;) {
      const message = await opened.next().catch(() => undefined);
      if (message === undefined) break;
      if (!isStopped) receive(message as unknown as ToRunner, copy);
    }
    client = undefined;
  };
  const connecting = (async () => {
    while (!isStopped) await connect();
  })();
  const heartbeats = setInterval(sendHeartbeats, heartbeatMilliseconds);
  return {
    begun,
    completed,
    assignedBy,
    broken: () => broken,
    stop: async (): Promise<void> => {
      isStopped = true;
      clearInterval(heartbeats);
      client?.socket.terminate();
      await Promise.all([connecting, ...performing]);
    },
  };
};
