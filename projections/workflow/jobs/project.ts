import type { Instant } from '../../../domain/kernel/codec';
import type { JobId } from '../../../domain/workflow/ids';
import { type JobNode, runs } from '../../../domain/workflow/run/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import type { RunStatus } from '../runs/view';
import { type JobRow, jobsView } from './view';

type At = RecordedEvent<never>['at'];
type Key = Partial<JobRow> & Pick<JobRow, 'tenantId'>;

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

const waiting: readonly RunStatus[] = ['queued', 'waiting_for_runner'];

/** Jobs without a runner end at once; those that one has are asked to end. */
const cancel = (
  key: Key,
  { revision }: At,
  { at, reason }: { readonly at: Instant; readonly reason: string | null },
) => [
  ...waiting.flatMap((status) =>
    patchRowsWhere<JobRow>({ ...key, status }, { status: 'canceled', reason, completedAt: at, revision }),
  ),
  ...patchRowsWhere<JobRow>({ ...key, status: 'in_progress' }, { status: 'canceling', reason, revision }),
];

const begunAgain: Partial<JobRow> = {
  status: 'queued',
  reason: null,
  leaseOwner: null,
  startedAt: null,
  completedAt: null,
};

export const jobsProjection = projection(jobsView, [
  streamsOf(runs, 'run', {
    RunResolved: ({ data, at }) => data.jobs.flatMap((node) => putRow<JobRow>(newRow(node, data, at))),
    JobsPlanned: ({ data, at }) => data.jobs.flatMap((node) => putRow<JobRow>(newRow(node, data, at))),
    JobsQueued: ({ data, at }) => data.jobIds.flatMap((jobId) => change(jobId, at, { status: 'waiting_for_runner' })),
    JobsSkipped: ({ data: { jobIds, reason }, at, event }) =>
      jobIds.flatMap((jobId) => change(jobId, at, { status: 'skipped', reason, completedAt: event.occurredAt })),
    JobAssigned: ({ data: { jobId, attempt, epoch, runnerId, runnerType }, at }) =>
      change(jobId, at, { status: 'in_progress', attempt, leaseEpoch: epoch, leaseOwner: runnerId, runnerType }),
    JobStarted: ({ data: { jobId }, at, event }) => change(jobId, at, { startedAt: event.occurredAt }),
    JobCompleted: ({ data: { jobId, attempt, epoch, result, reason }, at, event }) =>
      change(jobId, at, {
        status: result,
        reason,
        attempt,
        leaseEpoch: epoch,
        leaseOwner: null,
        completedAt: event.occurredAt,
      }),
    // Of a run that is canceled a lost job counts as canceled, as nothing tries it again.
    JobLost: ({ data: { jobId, reason }, at: { tenantId, revision }, event }) => {
      const lost = { reason, leaseOwner: null, completedAt: event.occurredAt, revision };
      return [
        ...patchRowsWhere<JobRow>({ tenantId, jobId, status: 'in_progress' }, { ...lost, status: 'failure' }),
        ...patchRowsWhere<JobRow>({ tenantId, jobId, status: 'canceling' }, { ...lost, status: 'canceled' }),
      ];
    },
    JobRequeued: ({ data: { jobId, attempt }, at }) =>
      change(jobId, at, { ...begunAgain, status: 'waiting_for_runner', attempt }),
    RunCancelRequested: ({ data: { runId }, at, event }) =>
      cancel({ tenantId: at.tenantId, runId }, at, { at: event.occurredAt, reason: null }),
    JobsCancelRequested: ({ data: { jobIds, reason }, at, event }) =>
      jobIds.flatMap((jobId) => cancel({ tenantId: at.tenantId, jobId }, at, { at: event.occurredAt, reason })),
    RunTimedOut: ({ data: { runId }, at, event }) =>
      cancel({ tenantId: at.tenantId, runId }, at, { at: event.occurredAt, reason: 'The run took too long.' }),
    RunRetried: ({ data: { jobIds }, at }) => jobIds.flatMap((jobId) => change(jobId, at, begunAgain)),
    ignored: ['RunRequested', 'RunGrouped', 'RunNotResolved', 'RunRefused', 'JobClaimExpired', 'RunCompleted'],
  }),
]);
