/** HTTP statuses and titles of the rejections of runs. */
import type { ProblemTable } from '../../../infra/server/http/problem';

export const runProblems = {
  'run-unknown': { status: 404, title: 'There is no such run' },
  'run-ended': { status: 409, title: 'The run has ended' },
  'run-active': { status: 409, title: 'The run has not ended' },
  'job-unknown': { status: 404, title: 'There is no such job' },
  'job-not-queued': { status: 409, title: 'The job does not wait for a runner' },
  'stale-epoch': { status: 409, title: 'The lease of the job has ended' },
  'no-failed-job': { status: 409, title: 'No job of the run failed' },
  'too-many-attempts': { status: 409, title: 'The run has as many attempts as it may have' },
} as const satisfies ProblemTable;
