/** The runs of a tenant as the log has them, and the limits that they must keep to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import { type DataOf, type JobNode, type RunEvent, runs } from '../../../domain/workflow/run/events';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { resumeUntilAborted } from '../../../infra/server/runtime/backoff';

export interface RecordedRunEvent {
  readonly runId: RunId;
  readonly event: RunEvent;
}

interface RunningStores {
  readonly EVENTSTORE_WRITER_URL: string;
}

const openLog = (data: string): EventStore => {
  const { EVENTSTORE_WRITER_URL: url } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as RunningStores;
  return openEventStore({ url });
};

const prefixOf = (tenantId: string): string => `workflow.run-${tenantId}.`;

const recordedOf = ({ stream, type, data }: StoredEvent, prefix: string): RecordedRunEvent => {
  const event = runs.decode(type, data);
  assert.ok(isRight(event), type);
  return { runId: stream.slice(prefix.length) as RunId, event: event.right };
};

/** Every event of the tenant's runs, in the order of the log. `data`: the directory of the running system. */
export const recordedRuns = async (data: string, tenantId: string): Promise<readonly RecordedRunEvent[]> => {
  const store = openLog(data);
  const prefix = prefixOf(tenantId);
  const recorded: RecordedRunEvent[] = [];
  try {
    for await (const stored of store.readAll({ after: null, filter: { streams: [prefix] } }))
      recorded.push(recordedOf(stored, prefix));
  } finally {
    await store.close();
  }
  return recorded;
};

export interface FollowedRuns {
  /** So far. */
  readonly recorded: () => readonly RecordedRunEvent[];
  readonly close: () => Promise<void>;
}

/** The same as they are recorded; after the log was away it goes on. Closing it closes the store. */
export const followRunsOf = (store: EventStore, tenantId: string): FollowedRuns => {
  const prefix = prefixOf(tenantId);
  const recorded: RecordedRunEvent[] = [];
  const closing = new AbortController();
  const { signal } = closing;
  let after: bigint | null = null;
  const follow = async (progress: () => void): Promise<void> => {
    for await (const item of store.subscribeAll({ after, filter: { streams: [prefix] }, signal })) {
      progress();
      if (item.kind !== 'event') continue;
      recorded.push(recordedOf(item.event, prefix));
      after = item.event.position;
    }
  };
  const following = resumeUntilAborted(follow, { signal, failed: () => undefined });
  return {
    recorded: () => recorded,
    close: async () => {
      closing.abort();
      await following;
      await store.close();
    },
  };
};

export const followRuns = (data: string, tenantId: string): FollowedRuns => followRunsOf(openLog(data), tenantId);

export const historiesOf = (recorded: readonly RecordedRunEvent[]): ReadonlyMap<RunId, readonly RunEvent[]> => {
  const histories = new Map<RunId, RunEvent[]>();
  for (const { runId, event } of recorded) histories.set(runId, [...(histories.get(runId) ?? []), event]);
  return histories;
};

export interface TenantLimits {
  readonly concurrentJobs: number;
  readonly jobsPerRepository?: number;
  readonly runsPerWorkflow?: number;
}

interface ActiveJob {
  readonly run: DataOf<'RunRequested'>;
  readonly node: JobNode;
}

/** What the log must not hold of jobs that run at once, at any moment. Empty when every limit is kept. */
export const exceededLimits = (
  recorded: readonly RecordedRunEvent[],
  {
    concurrentJobs,
    jobsPerRepository = limits.jobsPerRepository,
    runsPerWorkflow = limits.runsPerWorkflow,
  }: TenantLimits,
): readonly string[] => {
  const requests = new Map<RunId, DataOf<'RunRequested'>>();
  const nodes = new Map<JobId, JobNode>();
  const active = new Map<JobId, ActiveJob>();
  const exceeded: string[] = [];
  const check = ({ node, run }: ActiveJob): void => {
    const jobs = [...active.values()];
    if (jobs.length > concurrentJobs) exceeded.push(`${jobs.length} jobs of the organization`);
    const ofRepository = jobs.filter((job) => job.run.repoId === run.repoId).length;
    if (ofRepository > jobsPerRepository) exceeded.push(`${ofRepository} jobs of repository ${run.repoId}`);
    const ofWorkflow = jobs.filter((job) => job.run.workflowDefinitionId === run.workflowDefinitionId);
    const runIds = new Set(ofWorkflow.map((job) => job.run.runId));
    if (runIds.size > runsPerWorkflow) exceeded.push(`${runIds.size} runs of workflow ${run.workflowDefinitionId}`);
    const ofMatrix = jobs.filter((job) => job.run.runId === run.runId && job.node.key === node.key).length;
    if (ofMatrix > (node.maxParallel ?? Number.POSITIVE_INFINITY))
      exceeded.push(`${ofMatrix} jobs of the matrix ${node.key} of run ${run.runId}`);
  };
  for (const { runId, event } of recorded) {
    if (event.type === 'RunRequested') requests.set(runId, event.data);
    if (event.type === 'RunResolved' || event.type === 'JobsPlanned')
      for (const node of event.data.jobs) nodes.set(node.jobId, node);
    if (event.type === 'JobCompleted' || event.type === 'JobLost') active.delete(event.data.jobId);
    if (event.type !== 'JobAssigned') continue;
    const [run, node] = [requests.get(runId), nodes.get(event.data.jobId)];
    if (run === undefined || node === undefined) exceeded.push(`a job of run ${runId} before its request`);
    else {
      active.set(event.data.jobId, { run, node });
      check({ run, node });
    }
  }
  return exceeded;
};
