/** Counts and removes rows of a view in Elasticsearch past its readers: in every copy that serves, is being built, or was not dropped yet. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { NamedView, Scalar, ViewFault } from './view-store';

/** A copy of the view has not applied the position yet: wait and try again. */
export type ViewBehind = Fault<'view-behind'>;

export interface RowSelection {
  readonly tenantId: string;
  readonly where: { readonly [field: string]: Scalar };
}

interface CountedRows {
  readonly rows: number;
  readonly copies: number;
}

/** Rows that have the same values in some fields. */
export interface IndexedGroup {
  readonly values: { readonly [field: string]: Scalar };
  /** In the copy that has the fewest; 0 where a copy has none. */
  readonly fewest: number;
  /** In the copy that has the most. */
  readonly most: number;
}

export interface IndexedRows {
  /** Of rows as they are after this position; of what was written before, none is overlooked. */
  readonly count: (
    view: NamedView,
    selection: RowSelection & { readonly after: bigint },
  ) => Promise<Either<ViewFault | ViewBehind, CountedRows>>;
  /** By the values of those fields (keywords and numbers), of one tenant; as `count`, of each copy that serves or is being built. */
  readonly groups: (
    view: NamedView,
    request: { readonly tenantId: string; readonly by: readonly string[]; readonly after: bigint },
  ) => Promise<Either<ViewFault | ViewBehind, readonly IndexedGroup[]>>;
  /** From each copy, what was written by events up to that position; answers how many documents there were. */
  readonly remove: (
    view: NamedView,
    selection: RowSelection & { readonly upTo: bigint },
  ) => Promise<Either<ViewFault, number>>;
  readonly close: () => Promise<void>;
}
