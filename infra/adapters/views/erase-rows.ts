/** Erasures in a batch, and what they make of a row. */
import { type ErasedValues, type WhenErased, wholeRow } from '../../ports/views/erasure';
import type { Batch } from '../../ports/views/view-store';
import type { Fields } from './merge-row-changes';

/** By tenant, because no erasure reaches the rows of another. */
export type ErasedKeys = ReadonlyMap<string, readonly string[]>;

export const erasedKeysOf = (changes: Batch['changes']): ErasedKeys => {
  const keys = new Map<string, readonly string[]>();
  for (const { change } of changes)
    if (change.kind === 'erase' && change.keys.length > 0)
      keys.set(change.tenantId, [...new Set([...(keys.get(change.tenantId) ?? []), ...change.keys])]);
  return keys;
};

export const subjectKeysOf = (whenErased: WhenErased): readonly string[] => [
  ...new Set(Object.values(whenErased).flatMap((values) => Object.keys(values))),
];

export type ErasedRow =
  | { readonly kind: 'remove' }
  /** The fields that change, and what all fields become after further erasures. */
  | { readonly kind: 'patch'; readonly fields: Fields; readonly whenErased: WhenErased };

type ErasedField = ErasedValues[string];

const eraseField = (before: ErasedValues, keys: readonly string[]): ErasedField | undefined => {
  let reached: ErasedField | undefined;
  for (const key of keys) reached = (reached === undefined ? before : reached.next)?.[key] ?? reached;
  return reached;
};

export const eraseRow = (whenErased: WhenErased, keys: readonly string[]): ErasedRow => {
  const fields: { [field: string]: unknown } = {};
  const after: { [field: string]: ErasedValues } = {};
  for (const [field, values] of Object.entries(whenErased)) {
    const erased = eraseField(values, keys);
    if (field === wholeRow && erased?.value === true) return { kind: 'remove' };
    if (erased !== undefined && field !== wholeRow) fields[field] = erased.value;
    const left = erased === undefined ? values : erased.next;
    if (left !== undefined) after[field] = left;
  }
  return { kind: 'patch', fields, whenErased: after };
};
