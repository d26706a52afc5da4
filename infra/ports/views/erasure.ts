/** What rows of personal views become when keys of their subjects are erased. Written with each row, so that an erasure reads no events. */

/** The value of a field by the id of the erased key; `next`: once a further key is erased as well. */
export interface ErasedValues {
  readonly [keyId: string]: { readonly value: unknown; readonly next?: ErasedValues };
}

/** By field. `wholeRow`: whether the row is removed. */
export interface WhenErased {
  readonly [field: string]: ErasedValues;
}

export const wholeRow = '*';
