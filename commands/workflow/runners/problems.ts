/** HTTP statuses and titles of refusals to runners and to the people who register them. */
import type { ProblemTable } from '../../../infra/server/http/problem';
import { logProblems } from '../../../infra/server/workflow/problems';

export const runnerProblems = {
  'runner-unknown': { status: 404, title: 'There is no such runner' },
  'registration-used': { status: 409, title: 'The registration token was used before' },
  'protocol-unknown': { status: 400, title: 'The protocol of the runner is not supported' },
} as const satisfies ProblemTable;

export const leaseProblems = {
  ...logProblems,
  'stale-epoch': { status: 409, title: 'The job has a newer lease, or has ended' },
  'run-unknown': { status: 409, title: 'There is no such run' },
  'run-ended': { status: 409, title: 'The run has ended' },
  'run-active': { status: 409, title: 'The run has not ended' },
  'job-unknown': { status: 409, title: 'There is no such job' },
  'job-not-queued': { status: 409, title: 'The job does not wait for a runner' },
  'no-failed-job': { status: 409, title: 'No job failed' },
  'too-many-attempts': { status: 409, title: 'There were too many attempts' },
  'chunk-damaged': { status: 400, title: 'The chunk does not match its checksum' },
  'log-too-large': { status: 413, title: 'The log is too large' },
  'job-claims-unavailable': { status: 503, title: 'The claims of jobs are unavailable' },
} as const satisfies ProblemTable;
