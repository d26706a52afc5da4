/** Cells as the readers give them, beside those of another reader. */
import { cleanCell } from '../../../../packages/file-readers/src/tables/row-elements';

/** As `calamine` has it, stored as JSON. */
export type OtherCell = string | number | boolean | { readonly seconds: number } | { readonly iso: string };

export interface OtherSheet {
  readonly sheet: string;
  /** Rows with cells: their number and the cells from the first column on. */
  readonly rows: readonly (readonly [number, readonly OtherCell[]])[];
}

const secondsOf = (duration: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = duration.replace('-', '').split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
};

const isSameMoment = (ours: string, iso: string): boolean => {
  const moment = iso.replace('T', ' ').replace(/\.\d+$/, '');
  return moment.startsWith(ours) || moment.slice('2000-01-01 '.length).startsWith(ours);
};

/** Texts are equal but for their blanks; numbers to fifteen digits; a share is shown with two decimals at least. */
export const isSameCell = (ours: string, other: OtherCell): boolean => {
  if (typeof other === 'string') return ours === cleanCell(other);
  if (typeof other === 'boolean') return ours === (other ? 'TRUE' : 'FALSE');
  if (typeof other === 'number')
    return ours.endsWith('%')
      ? Math.abs(Number(ours.slice(0, -1)) / 100 - other) < 0.0001
      : Number(ours) === Number(other.toPrecision(15));
  if ('seconds' in other) return Math.abs(secondsOf(ours) - Math.abs(other.seconds)) < 1;
  return isSameMoment(ours, other.iso);
};
