/** Jobs of runs, each with its latest attempt. */
import type * as t from 'io-ts';
import { Instant, integer, listOf, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { JobId, RunId, RunnerId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import { RunnerLabel, RunnerType } from '../../../domain/workflow/run/events';
import { RunStatus } from '../../../domain/workflow/run/status';
import { type TableView, table } from '../../kernel/view';

export const JobRow = record('JobRow', {
  tenantId: TenantId,
  jobId: JobId,
  runId: RunId,
  /** The key below `jobs:`; the same for every combination of a matrix. */
  key: text('JobRowKey', { maxLength: 100 }),
  name: text('JobRowName', { minLength: 0, maxLength: 300 }),
  /** Keys of jobs. */
  needs: listOf('JobRowNeeds', text('JobRowNeed', { maxLength: 100 }), limits.matrixJobs),
  labels: listOf('JobRowLabels', RunnerLabel, 20),
  status: RunStatus,
  /** Why it did not succeed, or was skipped. */
  reason: nullable(text('JobRowReason', { maxLength: 300 })),
  attempt: integer(1, limits.attempts),
  /** Of the last lease; 0 before the first. */
  leaseEpoch: integer(0),
  /** Null while no runner has it. */
  leaseOwner: nullable(RunnerId),
  /** Before it is assigned: by its labels. */
  runnerType: RunnerType,
  startedAt: nullable(Instant),
  completedAt: nullable(Instant),
  revision: integer(0),
});
export type JobRow = t.TypeOf<typeof JobRow>;

export const jobsView: TableView<JobRow> = table({
  name: 'workflow_jobs',
  version: 1,
  row: JobRow,
  key: ['tenantId', 'jobId'],
  indexes: [['tenantId', 'runId', 'jobId']],
});
