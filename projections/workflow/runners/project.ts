import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId } from '../../../domain/workflow/ids';
import { runs } from '../../../domain/workflow/run/events';
import { runners } from '../../../domain/workflow/runner/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import { managedTenant, type RunnerRow, runnersView } from './view';

/** The job's runner is the organization's or a managed one; only one of them has a row with the job. The row's revision stays that of the runner's own stream. */
const freed = (tenantId: TenantId, jobId: JobId) =>
  [tenantId, managedTenant].flatMap((owner) =>
    patchRowsWhere<RunnerRow>({ tenantId: owner, currentJobId: jobId }, { currentJobId: null }),
  );

export const runnersProjection = projection(runnersView, [
  streamsOf(runners, {
    RunnerRegistered: ({ data: { credentialDigest: _, ...runner }, at, event }) =>
      putRow<RunnerRow>({
        ...runner,
        state: 'registered',
        currentJobId: null,
        registeredAt: event.occurredAt,
        ...at,
      }),
    RunnerDrained: ({ data: { runnerId }, at: { tenantId, revision } }) =>
      patchRow<RunnerRow>({ tenantId, runnerId }, { state: 'draining', revision }),
    RunnerRemoved: ({ data: { runnerId }, at: { tenantId, revision } }) =>
      patchRow<RunnerRow>({ tenantId, runnerId }, { state: 'removed', currentJobId: null, revision }),
  }),
  streamsOf(runs, {
    JobAssigned: ({ data: { runnerId, runnerType, jobId }, at: { tenantId } }) => {
      const owner = runnerType === 'managed' ? managedTenant : tenantId;
      return patchRow<RunnerRow>({ tenantId: owner, runnerId }, { currentJobId: jobId });
    },
    JobCompleted: ({ data: { jobId }, at: { tenantId } }) => freed(tenantId, jobId),
    JobLost: ({ data: { jobId }, at: { tenantId } }) => freed(tenantId, jobId),
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
      'JobStarted',
      'JobClaimExpired',
      'JobRequeued',
      'RunCancelRequested',
      'JobsCancelRequested',
      'RunTimedOut',
      'RunCompleted',
      'RunRetried',
    ],
  }),
]);
