import { runs } from '../../../domain/workflow/run/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import { type JobAttemptRow, jobAttemptsView } from './view';

export const jobAttemptsProjection = projection(jobAttemptsView, [
  streamsOf(runs, 'run', {
    JobAssigned: ({ data: { epoch, ...assigned }, at, event }) =>
      putRow<JobAttemptRow>({
        ...assigned,
        status: 'in_progress',
        reason: null,
        leaseEpoch: epoch,
        assignedAt: event.occurredAt,
        startedAt: null,
        completedAt: null,
        steps: [],
        annotations: [],
        summary: null,
        ...at,
      }),
    // The event names the lease; only the row of its attempt has it.
    JobStarted: ({ data: { jobId, epoch }, at: { tenantId, revision }, event }) =>
      patchRowsWhere<JobAttemptRow>({ tenantId, jobId, leaseEpoch: epoch }, { startedAt: event.occurredAt, revision }),
    JobCompleted: ({ data, at: { tenantId, revision }, event }) =>
      patchRow<JobAttemptRow>(
        { tenantId, jobId: data.jobId, attempt: data.attempt },
        {
          status: data.result,
          reason: data.reason,
          completedAt: event.occurredAt,
          steps: data.steps,
          annotations: data.annotations,
          summary: data.summary,
          revision,
        },
      ),
    JobLost: ({ data: { jobId, attempt, reason }, at: { tenantId, revision }, event }) =>
      patchRow<JobAttemptRow>(
        { tenantId, jobId, attempt },
        { status: 'failure', reason, completedAt: event.occurredAt, revision },
      ),
    RunCancelRequested: ({ data: { runId }, at: { tenantId, revision } }) =>
      patchRowsWhere<JobAttemptRow>({ tenantId, runId, status: 'in_progress' }, { status: 'canceling', revision }),
    JobsCancelRequested: ({ data: { jobIds }, at: { tenantId, revision } }) =>
      jobIds.flatMap((jobId) =>
        patchRowsWhere<JobAttemptRow>({ tenantId, jobId, status: 'in_progress' }, { status: 'canceling', revision }),
      ),
    RunTimedOut: ({ data: { runId }, at: { tenantId, revision } }) =>
      patchRowsWhere<JobAttemptRow>({ tenantId, runId, status: 'in_progress' }, { status: 'canceling', revision }),
    ignored: [
      'RunRequested',
      'RunResolved',
      'RunGrouped',
      'RunNotResolved',
      'RunRefused',
      'JobsPlanned',
      'JobsQueued',
      'JobsSkipped',
      'JobClaimExpired',
      'JobRequeued',
      'RunCompleted',
      'RunRetried',
    ],
  }),
]);
