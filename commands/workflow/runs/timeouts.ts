/** What time alone ends: runs, jobs, jobs that no runner takes, and jobs whose cancel was not answered. */
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { mostEndedJobs } from '../../../domain/workflow/run/decider';
import { isActive, type Job } from '../../../domain/workflow/run/state';
import type { JobTimes } from './run-times';
import type { TrackedRun } from './tracked-run';

/** A runner ends a job that takes too long itself, and its `always()` steps have the grace; the service does when the runner does not. */
const jobMilliseconds = ({ node }: Job): number => node.timeoutMinutes * 60_000 + node.cancelGraceSeconds * 1_000;

const jobTimeout = (runId: RunId, job: Job, since: JobTimes, now: number): RunCommand | undefined => {
  const { jobId } = job.node;
  if (job.status === 'queued' && now - (since.queued ?? now) >= limits.queuedHours * 3_600_000)
    return { type: 'FailQueuedJob', runId, jobId, reason: `No runner took the job for ${limits.queuedHours} hours.` };
  if (isActive(job) && !job.isCanceling && now - (since.assigned ?? now) >= jobMilliseconds(job))
    return { type: 'TimeJobOut', runId, jobId, epoch: job.epoch };
  return undefined;
};

/** Commands that are due at this moment, in milliseconds since 1970. */
export const dueCommands = ({ state, runId, begun, times }: TrackedRun, now: number): readonly RunCommand[] => {
  if (state.kind === 'none' || state.result !== null) return [];
  const commands: RunCommand[] = [];
  if (!state.isTimedOut && now - begun >= limits.runTimeoutMinutes * 60_000)
    commands.push({ type: 'TimeRunOut', runId });
  const overdue: JobId[] = [];
  for (const job of state.jobs.values()) {
    const since = times.get(job.node.jobId) ?? {};
    const graceEnds = (since.canceling ?? now) + job.node.cancelGraceSeconds * 1_000;
    if (job.isCanceling && (state.cancel === 'forced' || now >= graceEnds)) overdue.push(job.node.jobId);
    const command = jobTimeout(runId, job, since, now);
    if (command !== undefined) commands.push(command);
  }
  for (let from = 0; from < overdue.length; from += mostEndedJobs)
    commands.push({ type: 'EndCanceledJobs', runId, jobIds: overdue.slice(from, from + mostEndedJobs) });
  return commands;
};
