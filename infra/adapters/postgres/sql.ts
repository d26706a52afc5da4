/** SQL text of a view: identifiers quoted, types and columns as the view declares them. */
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { ColumnType, TableIndex, TableView } from '../../ports/views/view-store';

export const schema = 'septet';
/** Has what a reader may do, in every database of a server. */
export const readerRole = 'septet_reader';

/** Logs in to read one database: installations that share a server have a password each. */
export const readerLogin = (database: string): string => (database === 'septet' ? readerRole : `${database}_reader`);

/** No valid tenant id. Queries with it read the rows of all tenants, in views for operators. */
export const everyTenant = '*';

export const name = escapeIdentifier;
export const literal = escapeLiteral;

export const physicalName = (view: Pick<TableView, 'name'>, generation: number): string =>
  `${schema}.${name(`${view.name}_v${generation}`)}`;

export const publicName = (view: Pick<TableView, 'name'>): string => `${schema}.${name(view.name)}`;

/** An `integer` is any whole number that JavaScript holds exactly. */
export const sqlType = (type: ColumnType): string => (type === 'integer' ? 'bigint' : type);

/** Byte order for text: pages continue where they ended whatever the server's locale. */
const columnType = (type: ColumnType): string => (type === 'text' ? 'text collate "C"' : sqlType(type));

export const columnsOf = ({ columns }: TableView): readonly (readonly [string, ColumnType])[] =>
  Object.entries(columns as Record<string, ColumnType>);

export const columnNames = (view: TableView): string =>
  columnsOf(view)
    .map(([column]) => name(column))
    .join(', ');

/** Of personal views: what fields become when keys are erased. Readers do not see it. */
export const whenErasedColumn = 'whenErased';

const storedColumnsOf = (view: TableView): readonly (readonly [string, ColumnType])[] =>
  view.personal === true ? [...columnsOf(view), [whenErasedColumn, 'jsonb']] : columnsOf(view);

const keyNames = (view: TableView): string => view.key.map(name).join(', ');

const createIndex = (table: string, index: TableIndex): string => {
  const [method, fields] = 'method' in index ? [index.method, index.fields] : ['btree', index];
  return `create index on ${table} using ${method} (${(fields as readonly string[]).map(name).join(', ')})`;
};

/** Ids of the keys that a row depends on. */
const subjectKeys = `jsonb_path_query_array(${name(whenErasedColumn)}, '$.*.keyvalue().key')`;

/** At most so many rows of a tenant that depend on one of the keys. */
export const findErasable = (view: TableView, table: string): string =>
  `select ${keyNames(view)}, ${name(whenErasedColumn)} from ${table}
  where ${name(whenErasedColumn)} is not null and ${subjectKeys} ?| $1::text[] and "tenantId" = $2 limit $3`;

export const createTable = (view: TableView, generation: number): readonly string[] => {
  const table = physicalName(view, generation);
  const isKey = (column: string): boolean => (view.key as readonly string[]).includes(column);
  const columns = storedColumnsOf(view).map(
    ([column, type]) => `${name(column)} ${columnType(type)}${isKey(column) ? ' not null' : ''}`,
  );
  const indexes = (view.indexes ?? []).map((index) => createIndex(table, index));
  if (view.personal === true)
    indexes.push(`create index on ${table} using gin (${subjectKeys}) where ${name(whenErasedColumn)} is not null`);
  return [`create table ${table} (${columns.join(', ')}, primary key (${keyNames(view)}))`, ...indexes];
};

export const dropTable = (view: Pick<TableView, 'name'>, generation: number): string =>
  `drop table if exists ${physicalName(view, generation)} cascade`;

/** Dropped rather than replaced, because another version may have other columns. The transaction hides the gap. */
export const switchTo = (view: TableView, generation: number): readonly string[] => [
  `drop view if exists ${publicName(view)}`,
  `create view ${publicName(view)} with (security_invoker = true) as select ${columnNames(view)} from ${physicalName(view, generation)}`,
  `grant select on ${publicName(view)} to ${readerRole}`,
];

const recordColumns = (view: TableView, fields: readonly string[]): string =>
  storedColumnsOf(view)
    .filter(([column]) => fields.includes(column))
    .map(([column, type]) => `${name(column)} ${sqlType(type)}`)
    .join(', ');

/** Compares and moves the checkpoint; every part below it does nothing unless that succeeded. */
export const moveCheckpoint = `moved as (
  update ${schema}.view_generations set position = $4::bigint, touched = now()
  where view = $1 and number = $2 and retired is null and position is not distinct from $3::bigint
    and not (active and coalesce(held_until > now(), false)) returning 1)`;

const parameter = (index: number): string => `$${index}::json`;

export const putRows = (
  view: TableView,
  table: string,
  { index, keep = [] }: { readonly index: number; readonly keep?: readonly string[] },
): string => {
  const all = storedColumnsOf(view).map(([column]) => column);
  const others = all.filter((column) => !(view.key as readonly string[]).includes(column));
  const set = others
    .filter((column) => !keep.includes(column))
    .map((column) => `${name(column)} = excluded.${name(column)}`)
    .join(', ');
  const conflict = set === '' ? 'do nothing' : `do update set ${set}`;
  return `insert into ${table} (${all.map(name).join(', ')}) select ${all.map((column) => `row.${name(column)}`).join(', ')}
  from moved, json_to_recordset(${parameter(index)}) as row(${recordColumns(view, all)})
  on conflict (${keyNames(view)}) ${conflict}`;
};

const sameKey = (view: TableView): string =>
  (view.key as readonly string[]).map((column) => `t.${name(column)} = row.${name(column)}`).join(' and ');

/** Rows of the view whose keys are in a JSON array. */
export const findManyRows = (view: TableView): string =>
  `select ${columnsOf(view)
    .map(([column]) => `t.${name(column)}`)
    .join(', ')}
  from (select distinct * from json_to_recordset($1::json) as given(${recordColumns(view, view.key)})) as row
  join ${publicName(view)} t on ${sameKey(view)}`;

/** A field that is set again does not depend any more on what it was made of before. */
const erasuresOfOthers = (fields: readonly string[]): string =>
  `coalesce(t.${name(whenErasedColumn)}, '{}') - array[${fields.map(literal).join(', ')}]::text[]`;

const patchWhenErased = (fields: readonly string[]): string => {
  const column = name(whenErasedColumn);
  return `${column} = nullif((${erasuresOfOthers(fields)}) || coalesce(row.${column}, '{}'), '{}')`;
};

export const patchRows = (
  view: TableView,
  table: string,
  part: { fields: readonly string[]; index: number },
): string => {
  const { fields, index } = part;
  const set = fields.map((column) => `${name(column)} = row.${name(column)}`);
  const given = [...view.key, ...fields];
  if (view.personal === true) {
    set.push(patchWhenErased(fields));
    given.push(whenErasedColumn);
  }
  return `update ${table} t set ${set.join(', ')}
  from moved, json_to_recordset(${parameter(index)}) as row(${recordColumns(view, given)})
  where ${sameKey(view)}`;
};

/** Every row that has the values which are named `where.<column>`. */
export const patchRowsWhere = (
  view: TableView,
  table: string,
  part: { readonly where: readonly string[]; readonly fields: readonly string[]; readonly index: number },
): string => {
  const { where, fields, index } = part;
  const types = new Map(columnsOf(view));
  const wanted = where.map((column) => `${name(`where.${column}`)} ${sqlType(types.get(column) ?? 'text')}`);
  const columns = [...wanted, recordColumns(view, fields)].join(', ');
  const set = fields.map((column) => `${name(column)} = row.${name(column)}`);
  if (view.personal === true) set.push(`${name(whenErasedColumn)} = nullif(${erasuresOfOthers(fields)}, '{}')`);
  const same = where.map((column) => `t.${name(column)} = row.${name(`where.${column}`)}`).join(' and ');
  return `update ${table} t set ${set.join(', ')}
  from moved, json_to_recordset(${parameter(index)}) as row(${columns}) where ${same}`;
};

export const removeRows = (view: TableView, table: string, index: number): string =>
  `delete from ${table} t using moved, json_to_recordset(${parameter(index)}) as row(${recordColumns(view, view.key)})
  where ${sameKey(view)}`;
