/** Queries of tables: the active generation, one tenant, decoded rows. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { decodeStored } from '../../../../domain/kernel/codec';
import type {
  ColumnType,
  PageRequest,
  TableView,
  View,
  ViewFault,
  ViewReader,
  ViewRow,
} from '../../../ports/views/view-store';
import { checkKeyCount } from '../../views/key-limit';
import { keyText } from '../../views/merge-row-changes';
import { unavailable } from '../../views/view-faults';
import { openPool, type PostgresOptions, toViewFault } from '../pool';
import { columnNames, columnsOf, findManyRows, name, publicName } from '../sql';
import { type TenantQueries, tenantQueries } from '../tenant-session';
import { activeOf } from './generation-registry';
import { pageQuery } from './page-sql';

type Raw = { readonly [column: string]: unknown };

const fieldOf = (type: ColumnType, value: unknown): unknown => {
  if (value === null) return null;
  if (type === 'integer') return Number(value);
  return value instanceof Date ? value.toISOString() : value;
};

const rowOf = <Row extends ViewRow>(view: TableView<Row>, raw: Raw): Either<ViewFault, Row> => {
  const columns = columnsOf(view as unknown as TableView);
  const decoded = decodeStored(
    view.row,
    Object.fromEntries(columns.map(([field, type]) => [field, fieldOf(type, raw[field])])),
  );
  return isLeft(decoded) ? unavailable('The view is of another version; it is being rebuilt.') : right(decoded.right);
};

const tableOf = <Row extends ViewRow>(view: View<Row>): TableView<Row> => {
  if (view.store !== 'postgres') throw new Error(`${view.name} is not a table`);
  return view;
};

const find =
  (queryTenant: TenantQueries): ViewReader['find'] =>
  async <Row extends ViewRow>(view: View<Row>, tenantId: string, key: Partial<Row>) => {
    const table = tableOf(view);
    const plain = table as unknown as TableView;
    const values = { ...key, tenantId } as Raw;
    const where = plain.key.map((field, index) => `${name(field)} = $${index + 1}`).join(' and ');
    const found = await toViewFault(() =>
      queryTenant<Raw>(tenantId, {
        name: `find ${view.name}`.slice(0, 60),
        text: `select ${columnNames(plain)} from ${publicName(plain)} where ${where}`,
        values: plain.key.map((field) => values[field]),
      }),
    );
    if (isLeft(found)) return found;
    const [raw] = found.right.rows;
    return raw === undefined ? right(undefined) : rowOf(table, raw);
  };

/** One query: the keys are a table that the view is joined with. */
const findMany =
  (queryTenant: TenantQueries): ViewReader['findMany'] =>
  async <Row extends ViewRow>(view: View<Row>, tenantId: string, keys: readonly Partial<Row>[]) => {
    checkKeyCount(keys);
    const table = tableOf(view);
    const plain = table as unknown as TableView;
    const values = keys.map((key) => ({ ...key, tenantId }));
    const found = await toViewFault(() =>
      queryTenant<Raw>(tenantId, {
        name: `many ${view.name}`.slice(0, 60),
        text: findManyRows(plain),
        values: [JSON.stringify(values)],
      }),
    );
    if (isLeft(found)) return found;
    const rows = new Map<string, Row>();
    for (const raw of found.right.rows) {
      const row = rowOf(table, raw);
      if (isLeft(row)) return row;
      rows.set(keyText(plain, row.right as unknown as Raw), row.right);
    }
    return right(values.map((key) => rows.get(keyText(plain, key))));
  };

const page =
  (queryTenant: TenantQueries): ViewReader['page'] =>
  async <Row extends ViewRow>(view: View<Row>, tenantId: string, request: PageRequest<Row>) => {
    const table = tableOf(view);
    const query = pageQuery(table as unknown as TableView, tenantId, request as unknown as PageRequest);
    const found = await toViewFault(() => queryTenant<Raw>(tenantId, query));
    if (isLeft(found)) return found;
    const rows: Row[] = [];
    for (const raw of found.right.rows) {
      const row = rowOf(table, raw);
      if (isLeft(row)) return row;
      rows.push(row.right);
    }
    return right(rows);
  };

/** Upper bound of a query, because a client waits for the answer. */
const queryMilliseconds = 5_000;

export const openPostgresReader = (options: PostgresOptions): ViewReader => {
  const pool = openPool({ statementMilliseconds: queryMilliseconds, ...options });
  const queryTenant = tenantQueries(pool, options.url);
  return {
    find: find(queryTenant),
    findMany: findMany(queryTenant),
    page: page(queryTenant),
    checkpoint: async (view) => {
      const active = await toViewFault(() => activeOf(pool, view));
      return isLeft(active) ? active : right(active.right?.position);
    },
    close: () => pool.end(),
  };
};
