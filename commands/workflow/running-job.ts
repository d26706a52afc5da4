/** Whether the attempt that a job's token names still runs under its epoch. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { isActive } from '../../domain/workflow/run/state';
import type { EventStoreFault } from '../../infra/ports/event-store';
import type { WorkflowAdapters } from './adapters';
import type { JobTokenClaims } from './job-token';

export const isJobRunning = async (
  { runs }: Pick<WorkflowAdapters, 'runs'>,
  { tenantId, runId, jobId, epoch }: JobTokenClaims,
): Promise<Either<EventStoreFault, boolean>> => {
  const loaded = await runs.load({ tenantId, runId });
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  const job = state.kind === 'run' ? state.jobs.get(jobId) : undefined;
  return right(job !== undefined && isActive(job) && job.epoch === epoch);
};
