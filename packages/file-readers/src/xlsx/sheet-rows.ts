/** The rows of one sheet as Excel shows them. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { cleanCell, type TableRow } from '../tables/row-elements';
import { type XmlAttributes, xmlParser } from '../xml/parse-xml';
import { damagedPart } from '../xml/read-part';
import { cellNumberText, type NumberKind } from './cell-text';
import { type CellRange, cellPlace, maxColumns, maxRows } from './references';
import { richText, unescapeText } from './rich-text';

/** What cells refer to. */
export interface CellSources {
  readonly sharedStrings: readonly string[];
  readonly styles: readonly NumberKind[];
  readonly startsIn1904: boolean;
}

export interface SheetRow extends TableRow {
  readonly isHidden: boolean;
  /** It has a value in a hidden column. */
  readonly hasHiddenCell: boolean;
}

const maxStoredText = 100_000;
const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  stored: string;
}

const textOfCell = (cell: OpenCell, inline: string, sources: CellSources): string => {
  if (cell.type === 's') return sources.sharedStrings[Number(cell.stored)] ?? '';
  if (cell.type === 'inlineStr') return cleanCell(inline);
  if (cell.type === 'b') return isTrue(cell.stored.trim()) ? 'TRUE' : 'FALSE';
  if (cell.type !== 'n') return cleanCell(unescapeText(cell.stored));
  return cleanCell(cellNumberText(cell.stored, sources.styles[cell.style] ?? { kind: 'number' }, sources.startsIn1904));
};

interface OpenRow {
  readonly number: number;
  readonly isHidden: boolean;
  readonly cells: string[];
  hasHiddenCell: boolean;
}

const startRow = (attributes: XmlAttributes, previous: number): OpenRow => {
  const number = Number(attributes.get('r') ?? previous + 1);
  const isRow = Number.isSafeInteger(number) && number >= 1 && number <= maxRows;
  return {
    number: isRow ? number : previous + 1,
    isHidden: isTrue(attributes.get('hidden')),
    cells: [],
    hasHiddenCell: false,
  };
};

const startCell = (attributes: XmlAttributes, row: OpenRow): OpenCell => ({
  column: cellPlace(attributes.get('r') ?? '')?.column ?? row.cells.length,
  type: attributes.get('t') ?? 'n',
  style: Number(attributes.get('s') ?? 0),
  stored: '',
});

const setCell = (row: OpenRow, column: number, text: string): void => {
  if (column >= maxColumns || (text === '' && column < row.cells.length)) return;
  while (row.cells.length < column) row.cells.push('');
  row.cells[column] = text;
};

interface RowParser {
  readonly write: (bytes: Uint8Array) => boolean;
  readonly end: () => boolean;
  /** The rows that are complete, which are forgotten. */
  readonly take: () => readonly SheetRow[];
}

const rowParser = (sources: CellSources): RowParser => {
  const rows: SheetRow[] = [];
  const hiddenColumns: { readonly first: number; readonly last: number }[] = [];
  const inline = richText();
  let previous = 0;
  let row: OpenRow | undefined;
  let cell: OpenCell | undefined;
  let isStored = false;

  const finishCell = (): void => {
    if (row === undefined || cell === undefined) return;
    const { column } = cell;
    const text = textOfCell(cell, inline.take(), sources);
    setCell(row, column, text);
    row.hasHiddenCell ||= text !== '' && hiddenColumns.some(({ first, last }) => column >= first && column <= last);
    cell = undefined;
  };
  const parser = xmlParser({
    open: (name, attributes) => {
      if (name === 'col' && isTrue(attributes.get('hidden')) && hiddenColumns.length < 1_000)
        hiddenColumns.push({ first: Number(attributes.get('min')) - 1, last: Number(attributes.get('max')) - 1 });
      else if (name === 'row') row = startRow(attributes, previous);
      else if (name === 'c' && row !== undefined) cell = startCell(attributes, row);
      else if (cell !== undefined) {
        isStored = name === 'v';
        inline.open(name);
      }
    },
    text: (text) => {
      if (cell === undefined) return;
      if (isStored && cell.stored.length < maxStoredText) cell.stored += text.slice(0, maxStoredText);
      inline.text(text);
    },
    close: (name) => {
      inline.close(name);
      if (name === 'v') isStored = false;
      if (name === 'c') finishCell();
      if (name !== 'row' || row === undefined) return;
      previous = row.number;
      rows.push(row);
      row = undefined;
    },
  });
  return { write: parser.write, end: parser.end, take: () => rows.splice(0) };
};

/** Gives the cells below the first of a merged range its text: people read it there, too. */
const mergedText = (merged: ReadonlyMap<number, readonly CellRange[]>): ((row: SheetRow) => SheetRow) => {
  const open = new Map<number, { readonly text: string; readonly lastRow: number }>();
  return (row) => {
    const cells = [...row.cells];
    for (const [column, { text, lastRow }] of open) {
      if (row.number > lastRow) open.delete(column);
      else if ((cells[column] ?? '') === '' && cells.some((cell) => cell !== '')) {
        while (cells.length < column) cells.push('');
        cells[column] = text;
      }
    }
    for (const { first, last } of merged.get(row.number) ?? []) {
      const text = row.cells[first.column] ?? '';
      if (text !== '') open.set(first.column, { text, lastRow: last.row });
    }
    return { ...row, cells };
  };
};

/** Rows with cells, in the order of the file. */
export async function* sheetRows(
  archive: Archive,
  part: string,
  sources: CellSources,
  merged: ReadonlyMap<number, readonly CellRange[]>,
): AsyncGenerator<SheetRow, Either<ReadFailure, undefined>> {
  const parser = rowParser(sources);
  const withMergedText = merged.size === 0 ? (row: SheetRow): SheetRow => row : mergedText(merged);
  const chunks = archive.stream(part);
  let step = await chunks.next();
  try {
    for (; step.done !== true; step = await chunks.next()) {
      if (!parser.write(step.value)) return damagedPart;
      for (const row of parser.take()) yield withMergedText(row);
    }
  } finally {
    await chunks.return(damagedPart);
  }
  if (isLeft(step.value)) return step.value;
  return parser.end() ? right(undefined) : damagedPart;
}
