/** Table of a paged list, with loading, empty and error states. */
import type { ComponentChildren } from 'preact';
import type { Pages } from '../kernel/use-pages';
import { AsyncContent } from './async-content';
import { LoadMore } from './load-more';
import { type Column, Table } from './table';

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
}

export function PagedTable<Row>({ pages, label, one, many = `${one}s`, columns, keyOf, empty, rows = 6 }: Props<Row>) {
  const { items: content, problem, reload, more, isLoading } = pages;
  return (
    <AsyncContent source={{ content, problem, reload }} rows={rows}>
      {(items) =>
        items.length === 0 ? (
          empty
        ) : (
          <>
            <Table label={label} rows={items} columns={columns} keyOf={keyOf} />
            <LoadMore count={items.length} one={one} many={many} more={more} isLoading={isLoading} />
          </>
        )
      }
    </AsyncContent>
  );
}
