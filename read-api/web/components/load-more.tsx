/** Below a list: the number of loaded rows and the button that loads more. */
import { countOf } from '../kernel/format';
import type { Problem } from '../kernel/problem';
import { ProblemMessage } from './problem-message';

interface Props {
  readonly count: number;
  readonly one: string;
  readonly many?: string;
  readonly more: (() => void) | undefined;
  readonly isLoading: boolean;
  readonly problem?: Problem | undefined;
}

export const LoadMore = ({ count, one, many, more, isLoading, problem }: Props) => (
  <>
    <div class="more">
      <span role="status">
        {countOf(count, one, many)}
        {more === undefined ? '' : ' so far'}
      </span>
      {more !== undefined && (
        <button type="button" class="button small" onClick={more} disabled={isLoading}>
          {isLoading ? 'Loading…' : 'Show more'}
        </button>
      )}
    </div>
    {problem !== undefined && <ProblemMessage problem={problem} {...(more === undefined ? {} : { retry: more })} />}
  </>
);
