/** Several changes to one row within a batch, made one: a bulk statement may touch a row once only. */
import type { WhenErased } from '../../ports/views/erasure';
import type { Batch, Change, ViewRow } from '../../ports/views/view-store';

export type Fields = { readonly [field: string]: unknown };

/** Changes of single rows without erasures, and then what every row gets that has certain values. */
export interface Segment {
  readonly changes: Batch['changes'];
  readonly everyRow: Extract<Change, { readonly kind: 'patch-where' }> | undefined;
}

/** Cut where a `patch-where` has to see the rows as the changes before it left them. */
export const segmentsOf = (changes: Batch['changes']): readonly Segment[] => {
  const segments: Segment[] = [];
  let single: { readonly position: bigint; readonly change: Change }[] = [];
  for (const { position, change } of changes) {
    if (change.kind === 'erase') continue;
    if (change.kind !== 'patch-where') single.push({ position, change });
    else {
      segments.push({ changes: single, everyRow: change });
      single = [];
    }
  }
  return segments.length > 0 && single.length === 0
    ? segments
    : [...segments, { changes: single, everyRow: undefined }];
};

/** The merged change of one row. `put` has all fields, `patch` the key and the changed fields, `remove` the key. */
export interface RowChange {
  readonly kind: Single['kind'];
  readonly fields: Fields;
  /** What these fields become. */
  readonly whenErased?: WhenErased | undefined;
  /** Of a `merge`: the fields that an existing row keeps. */
  readonly keep?: readonly string[];
  /** Of the last event that changed the row. */
  readonly position: bigint;
}

/** Of any row: which one matters only to the view itself. */
type Keyed = { readonly key: readonly string[] };

const keyOf = ({ key }: Keyed, fields: Fields): readonly unknown[] => key.map((field) => fields[field]);

/** Unique per key, also where values contain separators. */
export const keyText = (view: Keyed, fields: Fields): string => JSON.stringify(keyOf(view, fields));

type Single = Exclude<Change<ViewRow>, { readonly kind: 'patch-where' | 'erase' }>;

/** Spreading two objects into one costs ten times as much, and this is done for every event. */
const overlaid = (one: object, other: object): Fields => Object.assign({ ...one }, other) as Fields;

const flat = (change: Single): Fields => {
  switch (change.kind) {
    case 'put':
    case 'merge':
      return change.row as unknown as Fields;
    case 'patch':
      return overlaid(change.key, change.fields);
    case 'remove':
      return change.key as Fields;
  }
};

/** A field to keep has the value of the first change that sets it, or of the stored row. */
const keeping = (before: RowChange | undefined, next: RowChange): RowChange => {
  if (before === undefined) return next;
  const { keep = [], position } = next;
  if (before.kind === 'remove') return { kind: 'put', fields: next.fields, position };
  const fields: { [field: string]: unknown } = { ...next.fields };
  for (const field of keep) if (Object.hasOwn(before.fields, field)) fields[field] = before.fields[field];
  if (before.kind === 'put') return { kind: 'put', fields, position };
  const isPreserved = (field: string): boolean =>
    before.kind === 'merge' ? before.keep?.includes(field) === true : !Object.hasOwn(before.fields, field);
  return { kind: 'merge', fields, position, keep: keep.filter(isPreserved) };
};

/** A field that is set again does not depend any more on what it was made of before. */
export const patchedErasure = (
  before: WhenErased | undefined,
  { fields, whenErased }: Pick<RowChange, 'fields' | 'whenErased'>,
): WhenErased | undefined => {
  if (before === undefined) return whenErased;
  const others = Object.entries(before).filter(([field]) => !Object.hasOwn(fields, field));
  const all = { ...Object.fromEntries(others), ...whenErased };
  return Object.keys(all).length === 0 ? undefined : all;
};

const patched = (before: RowChange, change: RowChange): RowChange => {
  const { fields, position } = change;
  const whenErased = patchedErasure(before.whenErased, change);
  const whole = { kind: before.kind, fields: overlaid(before.fields, fields), position, whenErased };
  if (before.keep === undefined) return whole;
  return { ...whole, keep: before.keep.filter((field) => !Object.hasOwn(fields, field)) };
};

const after = (before: RowChange | undefined, next: RowChange): RowChange => {
  if (next.kind === 'merge') return keeping(before, next);
  if (next.kind !== 'patch' || before === undefined) return next;
  // A patch finds no row after a removal, and changes none.
  if (before.kind === 'remove') return before;
  return patched(before, next);
};

const rowChangeOf = (change: Single, fields: Fields, position: bigint): RowChange => {
  const { kind } = change;
  if (kind === 'merge') return { kind, fields, position, keep: change.keep };
  return kind === 'remove' ? { kind, fields, position } : { kind, fields, position, whenErased: change.whenErased };
};

/** Without erasures, which follow. */
export const mergeRowChanges = (view: Keyed, changes: Batch['changes']): ReadonlyMap<string, RowChange> => {
  const rows = new Map<string, RowChange>();
  for (const { position, change } of changes) {
    if (change.kind === 'erase') continue;
    if (change.kind === 'patch-where') throw new Error('only tables patch many rows at once');
    const fields = flat(change);
    const text = keyText(view, fields);
    rows.set(text, after(rows.get(text), rowChangeOf(change, fields, position)));
  }
  return rows;
};
