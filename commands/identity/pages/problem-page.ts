/** A problem as a person reads it. */
import type { Problem } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { failurePage } from './page';

export const problemPageOf = ({ problem, headers }: Problem): PageAnswer => {
  const { status, title, detail } = problem;
  const shown =
    status < 500
      ? failurePage(status, title, detail)
      : failurePage(status, 'Not right now', 'Something that this needs is away at the moment. Try again soon.');
  return { ...shown, headers: { ...shown.headers, ...headers } };
};
