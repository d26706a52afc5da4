/** Whether the attempt that a job's token names still runs under its epoch. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { run } from '../../domain/workflow/run/decider';
import { runStream } from '../../domain/workflow/run/events';
import { isActive } from '../../domain/workflow/run/state';
import type { EventStoreFault } from '../../infra/ports/event-store';
import { loadStream } from '../kernel/load-stream';
import type { JobTokenClaims } from './job-token';
import type { WorkflowPlatform } from './platform';

export const isJobRunning = async (
  platform: WorkflowPlatform,
  { tenantId, runId, jobId, epoch }: JobTokenClaims,
): Promise<Either<EventStoreFault, boolean>> => {
  const state = await loadStream(platform, run, runStream(tenantId, runId));
  if (isLeft(state)) return state;
  const job = state.right.kind === 'run' ? state.right.jobs.get(jobId) : undefined;
  return right(job !== undefined && isActive(job) && job.epoch === epoch);
};
