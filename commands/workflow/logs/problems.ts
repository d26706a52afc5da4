/** HTTP statuses and titles of what readers and writers of logs are refused. */
import type { ProblemTable } from '../../../infra/server/http/problem';

export const logProblems = {
  'log-unknown': { status: 404, title: 'There is no such log' },
  'log-expired': { status: 410, title: 'The log is older than logs are retained' },
  'log-ended': { status: 409, title: 'The log takes no more chunks' },
  'chunk-differs': { status: 409, title: 'Another chunk is stored under the same number' },
  'log-store-unavailable': { status: 503, title: 'The store of logs is unavailable' },
} as const satisfies ProblemTable;
