/** The codes that only the console's sessions answer with. */
import type { ProblemTable } from '../http/problem';

export const sessionProblems = {
  'session-ended': { status: 401, title: 'The session has ended' },
  'sign-in-refused': { status: 401, title: 'Signing in was refused' },
  'foreign-page': { status: 403, title: 'The request does not come from a page of ours' },
} as const satisfies ProblemTable;
