/** Table of a paged list, with loading, empty and error states, and below it the number of rows and a button for more. */
import type { ComponentChildren } from 'preact';
import { countOf } from '../kernel/format';
import type { Problem } from '../kernel/problem';
import type { Pages } from '../kernel/use-pages';
import { AsyncContent } from './async-content';
import { ProblemMessage } from './problem-message';
import { type Column, type RowDetails, Table } from './table';

interface LoadMoreProps {
  readonly count: number;
  readonly one: string;
  readonly many?: string;
  readonly more: (() => void) | undefined;
  readonly isLoading: boolean;
  readonly problem?: Problem | undefined;
}

export const LoadMore = ({ count, one, many, more, isLoading, problem }: LoadMoreProps) => (
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

interface Props<Row> {
  readonly pages: Pages<Row>;
  readonly label: string;
  readonly one: string;
  readonly many?: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Replaces the table of an empty list. */
  readonly empty: ComponentChildren;
  readonly rows?: number;
  /** Each row opens below itself. */
  readonly details?: RowDetails<Row>;
  /** As of `Table`. */
  readonly toneOf?: (row: Row) => 'bad' | undefined;
}

export function PagedTable<Row>(props: Props<Row>) {
  const { pages, label, one, many = `${one}s`, columns, keyOf, empty, rows = 6, details, toneOf } = props;
  const { items: content, problem, reload, more, isLoading } = pages;
  return (
    <AsyncContent source={{ content, problem, reload }} rows={rows}>
      {(items) =>
        items.length === 0 ? (
          empty
        ) : (
          <>
            <Table
              label={label}
              rows={items}
              columns={columns}
              keyOf={keyOf}
              {...(details === undefined ? {} : { details })}
              {...(toneOf === undefined ? {} : { toneOf })}
            />
            <LoadMore count={items.length} one={one} many={many} more={more} isLoading={isLoading} />
          </>
        )
      }
    </AsyncContent>
  );
}
