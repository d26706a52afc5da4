/** Several changes to one row within a batch, made one: a bulk statement may touch a row once only. */
import type { Batch, Change, View, ViewRow } from '../ports/view-store';

export type Fields = { readonly [field: string]: unknown };

/** What is left to do to one row. `put` holds all fields, `patch` the key and those to set, `remove` the key. */
export interface RowChange {
  readonly kind: Change['kind'];
  readonly fields: Fields;
  /** Of the last event that changed the row. */
  readonly position: bigint;
}

const keyOf = ({ key }: Pick<View, 'key'>, fields: Fields): readonly unknown[] => key.map((field) => fields[field]);

/** Tells keys apart, also where values contain separators. */
export const keyText = (view: Pick<View, 'key'>, fields: Fields): string => JSON.stringify(keyOf(view, fields));

const flat = (change: Change<ViewRow>): Fields => {
  switch (change.kind) {
    case 'put':
      return change.row as unknown as Fields;
    case 'patch':
      return { ...change.key, ...change.fields };
    case 'remove':
      return change.key as Fields;
  }
};

const after = (before: RowChange | undefined, next: RowChange): RowChange => {
  if (next.kind !== 'patch' || before === undefined) return next;
  // A patch finds no row after a removal, and changes none.
  if (before.kind === 'remove') return before;
  return { ...next, kind: before.kind, fields: { ...before.fields, ...next.fields } };
};

export const collapse = (view: Pick<View, 'key'>, changes: Batch['changes']): ReadonlyMap<string, RowChange> => {
  const rows = new Map<string, RowChange>();
  for (const { position, change } of changes) {
    const fields = flat(change);
    const text = keyText(view, fields);
    rows.set(text, after(rows.get(text), { kind: change.kind, fields, position }));
  }
  return rows;
};
