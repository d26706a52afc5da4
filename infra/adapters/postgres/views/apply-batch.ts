/**
 * A batch as one statement: checkpoint and rows together in one round trip, or nothing. With a `patch-where` or an erasure it is a
 * transaction of several.
 */
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { WhenErased } from '../../../ports/views/erasure';
import type { Batch, Change, TableView } from '../../../ports/views/view-store';
import { erasedKeysOf, eraseRow } from '../../views/erase-rows';
import { type Fields, mergeRowChanges, type RowChange, type Segment, segmentsOf } from '../../views/merge-row-changes';
import { retryDeadlocks } from '../pool';
import {
  findErasable,
  moveCheckpoint,
  patchRows,
  patchRowsWhere,
  physicalName,
  putRows,
  removeRows,
  whenErasedColumn,
} from '../sql';

interface Part {
  readonly text: (index: number) => string;
  readonly rows: readonly Fields[];
}

const grouped = (
  changes: readonly RowChange[],
  shapeOfChange: (change: RowChange) => string,
): Map<string, RowChange[]> => {
  const groups = new Map<string, RowChange[]>();
  for (const change of changes) {
    const shape = shapeOfChange(change);
    const same = groups.get(shape);
    if (same === undefined) groups.set(shape, [change]);
    else same.push(change);
  }
  return groups;
};

/** As the statement takes it: a personal view's rows have a column more. */
const storedRow = (view: TableView, { fields, whenErased }: RowChange): Fields =>
  view.personal === true ? { ...fields, [whenErasedColumn]: whenErased ?? null } : fields;

/** The fields that a patch sets, as text: patches of the same fields go into one statement. */
const shapeOf = (view: TableView, { fields }: RowChange): string =>
  Object.keys(fields)
    .filter((field) => !(view.key as readonly string[]).includes(field))
    .sort()
    .join();

const patchesOf = (view: TableView, table: string, changes: readonly RowChange[]): readonly Part[] => {
  const patches = changes.filter(({ kind }) => kind === 'patch');
  const byShape = grouped(patches, (change) => shapeOf(view, change));
  // Of a personal view such a patch changes what the row becomes later.
  if (view.personal !== true) byShape.delete('');
  return [...byShape].map(([shape, rows]) => ({
    text: (index) => patchRows(view, table, { fields: shape === '' ? [] : shape.split(','), index }),
    rows: rows.map((row) => storedRow(view, row)),
  }));
};

/** The fields that a merge keeps, as text, likewise. */
const mergesOf = (view: TableView, table: string, changes: readonly RowChange[]): readonly Part[] => {
  const merges = changes.filter(({ kind }) => kind === 'merge');
  const byShape = grouped(merges, ({ keep = [] }) => keep.join());
  return [...byShape].map(([shape, rows]) => ({
    text: (index) => putRows(view, table, { index, keep: shape.split(',') }),
    rows: rows.map(({ fields }) => fields),
  }));
};

const partsOf = (view: TableView, table: string, changes: Segment['changes']): readonly Part[] => {
  const rows = [...mergeRowChanges(view, changes).values()];
  const ofKind = (kind: RowChange['kind']) =>
    rows.filter((row) => row.kind === kind).map((row) => storedRow(view, row));
  const parts: Part[] = [
    { text: (index) => putRows(view, table, { index }), rows: ofKind('put') },
    { text: (index) => removeRows(view, table, index), rows: ofKind('remove') },
    ...mergesOf(view, table, rows),
    ...patchesOf(view, table, rows),
  ];
  return parts.filter((part) => part.rows.length > 0);
};

const partOfMany = (view: TableView, table: string, { where, fields }: NonNullable<Segment['everyRow']>): Part => {
  const names = { where: Object.keys(where).sort(), fields: Object.keys(fields).sort() };
  const wanted = Object.entries(where).map(([field, value]) => [`where.${field}`, value]);
  return {
    text: (index) => patchRowsWhere(view, table, { ...names, index }),
    rows: [{ ...fields, ...Object.fromEntries(wanted) }],
  };
};

/** Postgres text holds neither NUL nor half a surrogate pair; one such character must not stop a view. */
const unstorable = /\\u(0000|d[89a-f])/i;
const storable = (_field: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;

const jsonOf = (rows: readonly Fields[]): string => {
  const text = JSON.stringify(rows);
  return unstorable.test(text) ? JSON.stringify(rows, storable) : text;
};

/** False: the checkpoint has moved, or writes to the view are paused. */
const run = async (
  client: Pick<PoolClient, 'query'>,
  parts: readonly Part[],
  first: { readonly text: string; readonly values: readonly unknown[] },
): Promise<boolean> => {
  const steps = parts.map((part, index) => `p${index} as (${part.text(index + first.values.length + 1)})`);
  const text = `with ${[first.text, ...steps].join(',\n')} select exists (select from moved) as moved`;
  const { rows } = await client.query<{ moved: boolean }>({
    // Prepared once per connection: a view has a handful of shapes.
    name: createHash('sha1').update(text).digest('hex'),
    text,
    values: [...first.values, ...parts.map((part) => jsonOf(part.rows))],
  });
  return rows[0]?.moved ?? false;
};

/** An earlier statement of the transaction has moved the checkpoint. */
const movedBefore = { text: 'moved as (select 1)', values: [] };

/** Of one read and write of rows to erase. */
const erasedRows = 1_000;

const eraseSome = async (
  client: PoolClient,
  view: TableView,
  { table, tenantId, keys }: { readonly table: string; readonly tenantId: string; readonly keys: readonly string[] },
): Promise<number> => {
  const { rows } = await client.query<Fields>(findErasable(view, table), [keys, tenantId, erasedRows]);
  const changes = rows.map(({ [whenErasedColumn]: before, ...key }): Change => {
    const erased = eraseRow(before as WhenErased, keys);
    return (erased.kind === 'remove' ? { kind: 'remove', key } : { ...erased, key }) as Change;
  });
  const parts = partsOf(
    view,
    table,
    changes.map((change) => ({ position: 0n, change })),
  );
  if (parts.length > 0) await run(client, parts, movedBefore);
  return rows.length;
};

/** Ends, because an erased row does not depend on these keys any more. */
const eraseAll = async (client: PoolClient, view: TableView, batch: Batch): Promise<void> => {
  const table = physicalName(view, batch.generation);
  for (const [tenantId, keys] of erasedKeysOf(batch.changes))
    while ((await eraseSome(client, view, { table, tenantId, keys })) === erasedRows);
};

/** False: the checkpoint has moved, or writes to the view are paused. */
export const applyBatch = async (pool: Pool, view: TableView, batch: Batch): Promise<boolean> => {
  const table = physicalName(view, batch.generation);
  const values = [
    view.name,
    batch.generation,
    batch.after === null ? null : String(batch.after),
    String(batch.position),
  ];
  const moving = { text: moveCheckpoint, values };
  const [first = [], ...others] = segmentsOf(batch.changes).flatMap(({ changes, everyRow }) => [
    partsOf(view, table, changes),
    ...(everyRow === undefined ? [] : [[partOfMany(view, table, everyRow)]]),
  ]);
  const isErasing = erasedKeysOf(batch.changes).size > 0;
  if (others.length === 0 && !isErasing) return run(pool, first, moving);
  return retryDeadlocks(pool, async (client) => {
    if (!(await run(client, first, moving))) return false;
    for (const parts of others) await run(client, parts, movedBefore);
    if (isErasing) await eraseAll(client, view, batch);
    return true;
  });
};
