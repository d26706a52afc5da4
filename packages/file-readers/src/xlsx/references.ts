/** References such as `B7` and `B7:D9` (18.18.62), as numbers from 0 for columns and from 1 for rows. */
export interface CellPlace {
  readonly column: number;
  readonly row: number;
}

export interface CellRange {
  readonly first: CellPlace;
  readonly last: CellPlace;
}

export const maxColumns = 16_384;
export const maxRows = 1_048_576;

/** Undefined for what is no cell of a sheet. */
export const cellPlace = (reference: string): CellPlace | undefined => {
  const [, letters = '', digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference) ?? [];
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const row = Number(digits);
  return column >= 0 && column < maxColumns && row >= 1 && row <= maxRows ? { column, row } : undefined;
};

export const cellRange = (reference: string): CellRange | undefined => {
  const [from = '', to = from] = reference.split(':');
  const first = cellPlace(from);
  const last = cellPlace(to);
  return first === undefined || last === undefined ? undefined : { first, last };
};
