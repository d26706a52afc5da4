/** Rows of a table as elements: cells are separated by tabs, so that those of a header and of a row stand at the same place. */
import { type Element, maxElementText } from '../../../../domain/files/content/element';
import { cleanLine, cutBefore } from '../text-cleaning';

export interface TableRow {
  /** As the program that opens the file numbers it. */
  readonly number: number;
  /** By column, from the first; empty ones are empty text. */
  readonly cells: readonly string[];
}

/** How many rows are seen before it is decided which of them is the header. */
const rowsAhead = 10;
const maxHeaderCell = 200;

/** A cell's own tabs and line breaks would be taken for those between cells. */
export const cleanCell = (text: string): string => cleanLine(text.replace(/[\s\u00A0]+/g, ' ')).trim();

const filled = ({ cells }: TableRow): readonly string[] => cells.filter((cell) => cell !== '');

/** Numbers, dates, amounts and shares, as people of several countries write them. */
const value = /^[-+(]?\s?(?:[$€£¥]|[A-Z]{3} )?\s?\d[\d\s.,:/'’-]*(?:%|[$€£¥]|e[-+]?\d+)?\)?(?:[ T]\d[\d:.]*Z?)?$/i;
const isName = (cell: string): boolean => cell.length <= maxHeaderCell && !value.test(cell) && /\p{L}/u.test(cell);

/** A header names each of its columns by another name, and is as wide as what is below it. */
const isHeader = (row: TableRow, below: readonly TableRow[]): boolean => {
  const names = filled(row);
  if (names.length === 0 || !names.every(isName) || new Set(names).size < names.length) return false;
  const widest = Math.max(0, ...below.map((other) => filled(other).length));
  if (names.length < 0.6 * widest || below.length === 0) return false;
  // Of a table of words alone, the first row is taken, unless it is a list.
  return names.length > 1 || below.some((other) => filled(other).some((cell) => !isName(cell)));
};

const headerAmong = (rows: readonly TableRow[]): TableRow | undefined => {
  const first = rows.findIndex((row, index) => isHeader(row, rows.slice(index + 1)));
  // Titles above a table are short; a header that is found between its rows is none.
  return first >= 0 && rows.slice(0, first).every((row) => filled(row).length <= 2) ? rows[first] : undefined;
};

const rowElement = (row: TableRow, sheet: string | null, kind: 'header' | 'row'): readonly Element[] => {
  let rest = row.cells.join('\t').trimEnd();
  const elements: Element[] = [];
  while (rest !== '') {
    const end = cutBefore(rest, maxElementText);
    const text = rest.slice(0, end);
    rest = rest.slice(end);
    if (text.trim() === '') continue;
    elements.push({
      kind,
      modality: 'table',
      level: null,
      text,
      anchor: { type: 'row', sheet, rowStart: row.number, rowEnd: row.number },
      words: [],
      confidence: null,
    });
  }
  return elements;
};

export interface RowElements {
  /** The elements that are decided by now. */
  readonly add: (row: TableRow) => readonly Element[];
  /** Those of the last rows. */
  readonly end: () => readonly Element[];
}

/** `headers`: rows that the file itself names; if there are none, one is looked for. Empty rows have no element. */
export const rowElements = (sheet: string | null, headers: ReadonlySet<number> = new Set()): RowElements => {
  let ahead: TableRow[] | undefined = [];
  const decide = (): readonly Element[] => {
    const rows = ahead ?? [];
    ahead = undefined;
    const found = headers.size > 0 ? headers : new Set([headerAmong(rows)?.number]);
    return rows.flatMap((row) => rowElement(row, sheet, found.has(row.number) ? 'header' : 'row'));
  };
  return {
    add: (row) => {
      if (filled(row).length === 0) return [];
      if (ahead === undefined) return rowElement(row, sheet, headers.has(row.number) ? 'header' : 'row');
      ahead.push(row);
      return ahead.length >= rowsAhead ? decide() : [];
    },
    end: () => (ahead === undefined ? [] : decide()),
  };
};
