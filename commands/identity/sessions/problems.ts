/** How refusals around sessions look from outside. */
import type { SessionRejection } from '../../../domain/identity/session/decider';
import type { ProblemKind } from '../../../infra/http/problem';

export const sessionProblems = {
  'session-unknown': { status: 404, title: 'There is no such session' },
  'session-over': { status: 409, title: 'The session has ended' },
  'session-differs': { status: 409, title: 'The session is another one' },
} as const satisfies { readonly [code in SessionRejection]: ProblemKind };
