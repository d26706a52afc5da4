/** What a `view.ts` is made of; the query side reads views through these types too. A view's columns and mappings derive from its row codec. */
import type * as t from 'io-ts';
import { fieldsOf, type JsonSchema } from '../../domain/kernel/codec';
import type { ColumnType, IndexView, KeysView, TableView, ViewRow } from '../../infra/ports/views/view-store';

export type { Change, IndexView, KeysView, TableView } from '../../infra/ports/views/view-store';

interface Structure {
  readonly _tag?: string;
  readonly schema?: JsonSchema;
  /** Of an array. */
  readonly type?: t.Any;
  /** Of a union. */
  readonly types?: readonly t.Any[];
}

const textColumn = (schema: JsonSchema): ColumnType => (schema.format === 'date-time' ? 'timestamptz' : 'text');

/** Throws where no column follows: the view is then to name one. */
const columnOf = (codec: t.Any): ColumnType => {
  const { _tag, schema = {}, type, types = [] } = codec as unknown as Structure;
  const [value, nothing] = types;
  if (_tag === 'UnionType' && value !== undefined && nothing?.name === 'null') return columnOf(value);
  if ((_tag === 'ArrayType' || _tag === 'ReadonlyArrayType') && type !== undefined)
    return columnOf(type) === 'text' ? 'text[]' : 'jsonb';
  if (_tag === 'StringType' || schema.type === 'string') return textColumn(schema);
  if (_tag === 'BooleanType') return 'boolean';
  if (_tag === 'ExactType' || schema.type === 'object') return 'jsonb';
  if (schema.type === 'integer') return 'integer';
  if (schema.type === 'number') return 'double precision';
  throw new Error(`no column follows from ${codec.name}`);
};

const mappings = {
  text: { type: 'keyword' },
  'text[]': { type: 'keyword' },
  integer: { type: 'long' },
  bigint: { type: 'long' },
  'double precision': { type: 'double' },
  boolean: { type: 'boolean' },
  timestamptz: { type: 'date' },
  /** Stored without an index: its fields may differ from row to row. */
  jsonb: { type: 'object', enabled: false },
} as const satisfies Record<ColumnType, object>;

const derived = <Row, Definition>(row: t.Type<Row, unknown>, definitionOf: (codec: t.Any) => Definition) =>
  Object.fromEntries(Object.entries<t.Any>(fieldsOf(row)).map(([field, codec]) => [field, definitionOf(codec)])) as {
    readonly [Field in keyof Row & string]: Definition;
  };

type Declared<V, Derived extends keyof V> = Omit<V, 'store' | Derived> & {
  readonly [Name in Derived]?: Partial<V[Name]>;
};

/** A Postgres table. `columns` lists only the columns whose type the row codec does not determine. */
export const table = <Row extends ViewRow>(view: Declared<TableView<Row>, 'columns'>): TableView<Row> => ({
  ...view,
  store: 'postgres',
  columns: { ...derived(view.row, columnOf), ...view.columns },
});

/** An Elasticsearch index. `mappings` lists only the fields that the row codec does not determine. */
export const index = <Row extends ViewRow>(view: Declared<IndexView<Row>, 'mappings'>): IndexView<Row> => ({
  ...view,
  store: 'elastic',
  mappings: { ...derived(view.row, (codec) => mappings[columnOf(codec)]), ...view.mappings },
});

/** Rows in Redis, which are read by their keys only: many at once, often. Readers get no answer while it is built, or built again. */
export const keys = <Row extends ViewRow>(view: Omit<KeysView<Row>, 'store'>): KeysView<Row> => ({
  ...view,
  store: 'redis',
});
