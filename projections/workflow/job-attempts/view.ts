/** Every attempt of a job that a runner had, with its steps; logs are kept under the same number. */
import type * as t from 'io-ts';
import { Instant, integer, listOf, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { JobId, RunId, RunnerId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import { Annotation, RunnerType, StepReport } from '../../../domain/workflow/run/events';
import { RunStatus } from '../../../domain/workflow/run/status';
import { type TableView, table } from '../../kernel/view';

export const JobAttemptRow = record('JobAttemptRow', {
  tenantId: TenantId,
  jobId: JobId,
  attempt: integer(1, limits.attempts),
  runId: RunId,
  /** Where the runner was lost: `canceled` if it was being canceled, else `failure`. */
  status: RunStatus,
  reason: nullable(text('JobAttemptReason', { maxLength: 300 })),
  leaseEpoch: integer(1),
  runnerId: RunnerId,
  runnerType: RunnerType,
  assignedAt: Instant,
  startedAt: nullable(Instant),
  completedAt: nullable(Instant),
  steps: listOf('JobAttemptSteps', StepReport, limits.stepsPerJob),
  annotations: listOf('JobAttemptAnnotations', Annotation, 50),
  /** Markdown that the steps wrote. */
  summary: nullable(text('JobAttemptSummary', { maxLength: 131_072 })),
  revision: integer(0),
});
export type JobAttemptRow = t.TypeOf<typeof JobAttemptRow>;

export const jobAttemptsView: TableView<JobAttemptRow> = table({
  name: 'workflow_job_attempts',
  version: 2,
  row: JobAttemptRow,
  key: ['tenantId', 'jobId', 'attempt'],
  indexes: [['tenantId', 'runId', 'jobId', 'attempt']],
});
