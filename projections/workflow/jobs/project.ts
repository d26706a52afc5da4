import type { JobId } from '../../../domain/workflow/ids';
import { type JobNode, runs } from '../../../domain/workflow/run/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { happened, patchJobs } from '../status-changes';
import { type JobRow, jobsView } from './view';

type At = RecordedEvent<never>['at'];

const newRow = (node: JobNode, run: Pick<JobRow, 'runId'>, at: At): JobRow => ({
  jobId: node.jobId,
  runId: run.runId,
  key: node.key,
  name: node.name,
  needs: node.needs,
  labels: node.labels,
  status: 'queued',
  reason: null,
  attempt: 1,
  leaseEpoch: 0,
  leaseOwner: null,
  runnerType: node.labels.includes('self-hosted') ? 'self_hosted' : 'managed',
  startedAt: null,
  completedAt: null,
  ...at,
});

const change = (jobId: JobId, { tenantId, revision }: At, fields: Partial<JobRow>) =>
  patchRow<JobRow>({ tenantId, jobId }, { ...fields, revision });

const begunAgain: Partial<JobRow> = {
  reason: null,
  leaseOwner: null,
  startedAt: null,
  completedAt: null,
};

export const jobsProjection = projection(jobsView, [
  streamsOf(runs, {
    RunResolved: ({ data, at }) => data.jobs.flatMap((node) => putRow<JobRow>(newRow(node, data, at))),
    JobsPlanned: ({ data, at }) => data.jobs.flatMap((node) => putRow<JobRow>(newRow(node, data, at))),
    JobsQueued: (recorded) => patchJobs(happened('JobsQueued', recorded), recorded),
    JobsSkipped: (recorded) => patchJobs(happened('JobsSkipped', recorded), recorded, { reason: recorded.data.reason }),
    JobAssigned: (recorded) => {
      const { attempt, epoch, runnerId, runnerType } = recorded.data;
      const lease = { attempt, leaseEpoch: epoch, leaseOwner: runnerId, runnerType };
      return patchJobs(happened('JobAssigned', recorded), recorded, lease);
    },
    JobStarted: ({ data: { jobId }, at, event }) => change(jobId, at, { startedAt: event.occurredAt }),
    JobCompleted: (recorded) => {
      const { reason, attempt, epoch } = recorded.data;
      const ended = { reason, attempt, leaseEpoch: epoch, leaseOwner: null };
      return patchJobs(happened('JobCompleted', recorded), recorded, ended);
    },
    JobLost: (recorded) =>
      patchJobs(happened('JobLost', recorded), recorded, { reason: recorded.data.reason, leaseOwner: null }),
    JobRequeued: (recorded) =>
      patchJobs(happened('JobRequeued', recorded), recorded, { ...begunAgain, attempt: recorded.data.attempt }),
    RunCancelRequested: (recorded) => patchJobs(happened('RunCancelRequested', recorded), recorded, { reason: null }),
    JobsCancelRequested: (recorded) =>
      patchJobs(happened('JobsCancelRequested', recorded), recorded, { reason: recorded.data.reason }),
    RunTimedOut: (recorded) =>
      patchJobs(happened('RunTimedOut', recorded), recorded, { reason: 'The run took too long.' }),
    RunRetried: (recorded) => patchJobs(happened('RunRetried', recorded), recorded, begunAgain),
    ignored: [
      'RunRequested',
      'RunTitled',
      'RunGrouped',
      'RunNotResolved',
      'RunRefused',
      'JobClaimExpired',
      'RunCompleted',
    ],
  }),
]);
