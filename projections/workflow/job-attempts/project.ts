import { type RunEvent, runs } from '../../../domain/workflow/run/events';
import { jobStatusChanges } from '../../../domain/workflow/run/status';
import { patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { happened, jobKeysOf, patchStatus } from '../status-changes';
import { type JobAttemptRow, jobAttemptsView } from './view';

type At = RecordedEvent<never>['at'];

/** Of the attempt that the event names. */
const endAttempt = (
  event: Extract<RunEvent, { type: 'JobCompleted' | 'JobLost' }>,
  { tenantId, revision }: At,
  fields: Partial<JobAttemptRow>,
) => {
  const { jobId, attempt } = event.data;
  return patchStatus<JobAttemptRow>({ tenantId, jobId, attempt }, jobStatusChanges(event).changes, () => ({
    ...fields,
    revision,
  }));
};

/** Of attempts that have not ended: others keep their status. */
const cancelAttempts = (event: RunEvent, { tenantId, revision }: At) => {
  const { changes } = jobStatusChanges(event);
  return jobKeysOf(event, tenantId).flatMap((key) => patchStatus<JobAttemptRow>(key, changes, () => ({ revision })));
};

export const jobAttemptsProjection = projection(jobAttemptsView, [
  streamsOf(runs, {
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
    JobCompleted: ({ data, at, event }) =>
      endAttempt({ type: 'JobCompleted', data }, at, {
        reason: data.reason,
        completedAt: event.occurredAt,
        steps: data.steps,
        annotations: data.annotations,
        summary: data.summary,
      }),
    JobLost: ({ data, at, event }) =>
      endAttempt({ type: 'JobLost', data }, at, { reason: data.reason, completedAt: event.occurredAt }),
    RunCancelRequested: (recorded) => cancelAttempts(happened('RunCancelRequested', recorded), recorded.at),
    JobsCancelRequested: (recorded) => cancelAttempts(happened('JobsCancelRequested', recorded), recorded.at),
    RunTimedOut: (recorded) => cancelAttempts(happened('RunTimedOut', recorded), recorded.at),
    ignored: [
      'RunRequested',
      'RunResolved',
      'RunTitled',
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
