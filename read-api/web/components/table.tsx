/** Table. On phones, `isWide` columns are hidden; the first column repeats what matters of them. */
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  readonly kind?: 'number' | 'tight';
  readonly isWide?: boolean;
}

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first column is the row header. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}

function classOf<Row>({ kind, isWide = false }: Column<Row>): string {
  return [kind, isWide ? 'wide' : undefined].filter((name) => name !== undefined).join(' ');
}

function Line<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  const [first, ...others] = columns;
  return (
    <tr>
      {first !== undefined && <th scope="row">{first.show(row)}</th>}
      {others.map((column) => (
        <td key={column.title} class={classOf(column)}>
          {column.show(row)}
        </td>
      ))}
    </tr>
  );
}

export function Table<Row>({ label, rows, columns, keyOf }: Props<Row>) {
  return (
    <div class="table">
      <table>
        <caption class="hidden-text">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={keyOf(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
