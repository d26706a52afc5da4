/** HTTP statuses and titles of the rejections of recorded usage. */
import type { ProblemTable } from '../../infra/server/http/problem';

export const usageProblems = {
  'period-ends-early': { status: 422, title: 'A period ends before it starts' },
  'too-many-quotas': { status: 409, title: 'Too many quotas within an hour' },
  'usage-out-of-range': { status: 422, title: 'The total is too large' },
} as const satisfies ProblemTable;
