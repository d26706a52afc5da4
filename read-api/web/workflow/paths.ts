/** Paths of the pages of workflows. */
import { segment, withQuery } from '../kernel/router';

export const repositoriesPath = '/console/repositories';
/** With the form open. */
export const newRepositoryPath = withQuery(repositoriesPath, { new: 'yes' });
export const runsPath = (repoId: string): string => `${repositoriesPath}/${segment(repoId)}/runs`;
export const runPath = (runId: string): string => `/console/runs/${segment(runId)}`;

interface JobAddress {
  readonly runId: string;
  readonly jobId: string;
  readonly attempt?: number;
  readonly line?: number;
}

export const jobPath = ({ runId, jobId, attempt, line }: JobAddress): string =>
  withQuery(`${runPath(runId)}/jobs/${segment(jobId)}`, {
    attempt: attempt === undefined ? '' : String(attempt),
    line: line === undefined ? '' : String(line),
  });
