/** Order of a list by a column whose heading was pressed; the URL has it. */

/** Of a column’s heading. */
export interface Sort {
  /** Undefined: the rows are in another order. */
  readonly direction: 'ascending' | 'descending' | undefined;
  readonly onSort: () => void;
}

export interface ListOrder {
  /** Empty: the order of the list itself. */
  readonly sort: string;
  readonly direction: string;
  readonly onSort: (sort: string, direction: string) => void;
}

type Direction = 'asc' | 'desc';

/** Texts from A, others from the newest and the largest; pressed once more, the other way round. */
export const sortOf = ({ sort, direction, onSort }: ListOrder, by: string, first: Direction = 'desc'): Sort => {
  const isBy = sort === by;
  const now = direction === '' ? first : direction;
  return {
    direction: isBy ? (now === 'asc' ? 'ascending' : 'descending') : undefined,
    onSort: () => onSort(by, isBy ? (now === 'asc' ? 'desc' : 'asc') : first),
  };
};
