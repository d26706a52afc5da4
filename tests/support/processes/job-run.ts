/** One attempt at a job, as a handler gets it from a worker, for tests that call the handler themselves. */
import type { JobRun } from '../../../commands/kernel/work-queue/job-handler';

export const jobRun = (more: Partial<JobRun> = {}): JobRun => ({
  signal: new AbortController().signal,
  reportProgress: () => undefined,
  checkpoint: () => Promise.resolve(),
  isLastAttempt: () => false,
  onKill: () => undefined,
  ...more,
});
