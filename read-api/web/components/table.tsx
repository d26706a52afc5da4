/** Table. On phones, `isWide` columns are hidden; the first column repeats what matters of them. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Sort } from './column-sort';
import { IsInRow, moveInRow } from './row-focus';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  readonly kind?: 'number' | 'tight';
  readonly isWide?: boolean;
  readonly sort?: Sort;
  /** In the heading, before the title: a checkbox for all rows. */
  readonly before?: ComponentChildren;
}

export interface RowDetails<Row> {
  /** What the button opens, for screen readers. */
  readonly label: (row: Row) => string;
  readonly show: (row: Row) => ComponentChildren;
}

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first column is the row header. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Each row opens below itself. */
  readonly details?: RowDetails<Row>;
  /** A row that stands out. A word in the row states the same. */
  readonly toneOf?: (row: Row) => 'bad' | undefined;
}

function classOf<Row>({ kind, isWide = false }: Column<Row>): string {
  return [kind, isWide ? 'wide' : undefined].filter((name) => name !== undefined).join(' ');
}

interface LineProps<Row> extends Pick<Props<Row>, 'columns' | 'details' | 'toneOf'> {
  readonly row: Row;
}

function Line<Row>({ row, columns, details, toneOf }: LineProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const [first, ...others] = columns;
  return (
    <>
      <IsInRow.Provider value={true}>
        <tr class={toneOf?.(row)} onKeyDown={moveInRow}>
          {first !== undefined && (
            <th scope="row" class={details === undefined ? undefined : 'opens'}>
              {details !== undefined && (
                <button
                  type="button"
                  class="button quiet small opener"
                  aria-expanded={isOpen}
                  {...(isOpen ? { 'aria-controls': id } : {})}
                  aria-label={details.label(row)}
                  onClick={() => setOpen(!isOpen)}
                />
              )}
              {first.show(row)}
            </th>
          )}
          {others.map((column) => (
            <td key={column.title} class={classOf(column)}>
              {column.show(row)}
            </td>
          ))}
        </tr>
      </IsInRow.Provider>
      {details !== undefined && isOpen && (
        <tr id={id} class="details">
          <td colSpan={columns.length}>{details.show(row)}</td>
        </tr>
      )}
    </>
  );
}

function Heading<Row>({ column }: { readonly column: Column<Row> }) {
  const { title, sort, before } = column;
  if (sort === undefined)
    return (
      <th scope="col" class={classOf(column)}>
        {before}
        {title}
      </th>
    );
  return (
    <th scope="col" class={classOf(column)} aria-sort={sort.direction ?? 'none'}>
      {before}
      <button type="button" class="sort" onClick={sort.onSort}>
        {title}
      </button>
    </th>
  );
}

export function Table<Row>({ label, rows, columns, keyOf, details, toneOf }: Props<Row>) {
  return (
    <div class="table">
      <table>
        <caption class="hidden-text">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line
              key={keyOf(row)}
              row={row}
              columns={columns}
              {...(details === undefined ? {} : { details })}
              {...(toneOf === undefined ? {} : { toneOf })}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
