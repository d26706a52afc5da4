/** When a run has ended and with which result, and which jobs a failure or a retry concerns. */
import type { JobId } from '../ids';
import type { JobResult, RetryMode, RunResult } from './events';
import { isEnding, type Job, pendingPlans, type Run } from './state';

const failures: readonly (JobResult | null)[] = ['failure', 'timed_out', 'lost'];

export const hasFailed = ({ result }: Pick<Job, 'result'>): boolean => failures.includes(result);

/** The result as the run and dependents count it: a failure that the job may continue on is a success. */
export const countedResult = (job: Job): JobResult | null =>
  job.node.continueOnError && hasFailed(job) ? 'success' : job.result;

export const hasRunEnded = (run: Run): boolean => {
  if (run.resolution === 'refused') return true;
  if (run.resolution === 'pending') return isEnding(run);
  return pendingPlans(run).length === 0 && [...run.jobs.values()].every(({ status }) => status === 'ended');
};

/** A canceled run whose jobs all succeeded before their runners were notified has succeeded. */
export const resultOf = (run: Run): RunResult => {
  const results = [...run.jobs.values()].map(countedResult);
  const isPartial = run.resolution === 'pending' || run.planned.length > 0;
  if (run.resolution === 'refused') return 'failure';
  const isWhole = !isPartial && results.every((result) => result === 'success' || result === 'skipped');
  if (run.isTimedOut && !isWhole) return 'timed_out';
  if (run.cancel !== 'none' && !isWhole) return 'canceled';
  if (results.some((result) => result === 'failure' || result === 'lost')) return 'failure';
  if (results.includes('timed_out')) return 'timed_out';
  if (results.includes('canceled')) return 'canceled';
  return results.includes('success') ? 'success' : 'skipped';
};

/** Other combinations of the job's matrix that end because it failed. */
export const failFastSiblings = (run: Run, job: Job): readonly JobId[] => {
  if (!job.node.failFast || job.node.continueOnError || !hasFailed(job) || isEnding(run)) return [];
  return [...run.jobs.values()]
    .filter(({ node, status, isCanceling }) => node.key === job.node.key && status !== 'ended' && !isCanceling)
    .map(({ node }) => node.jobId);
};

const withDependents = (run: Run, chosen: readonly Job[]): readonly JobId[] => {
  const keys = new Set(chosen.map(({ node }) => node.key));
  const jobs = [...run.jobs.values()];
  for (let size = 0; size !== keys.size; ) {
    size = keys.size;
    for (const { node } of jobs) if (node.needs.some((key) => keys.has(key))) keys.add(node.key);
  }
  const ids = new Set(chosen.map(({ node }) => node.jobId));
  const dependents = jobs.filter(({ node }) => ids.has(node.jobId) || node.needs.some((key) => keys.has(key)));
  return dependents.map(({ node }) => node.jobId);
};

/** The jobs that begin again: those chosen, with what depends on them in any generation. */
export const retriedJobs = (run: Run, mode: RetryMode, jobId: JobId | null): readonly JobId[] => {
  const jobs = [...run.jobs.values()];
  if (mode === 'all') return jobs.map(({ node }) => node.jobId);
  if (mode === 'failed')
    return withDependents(
      run,
      jobs.filter((job) => hasFailed(job) || job.result === 'canceled'),
    );
  return withDependents(
    run,
    jobs.filter(({ node }) => node.jobId === jobId),
  );
};
