/** Reads XLSX: a row for each row of each sheet, hidden ones included, for everyone who has the file can show them. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { type Archive, openArchive } from '../archive/open-archive';
import { documentFacts, fail, type ReadableFile, type ReadLimits } from '../reader';
import { rowElements } from '../tables/row-elements';
import { readSharedStrings } from './shared-strings';
import { readSheetLayout } from './sheet-layout';
import { type CellSources, type SheetRow, sheetRows } from './sheet-rows';
import { readStyles } from './styles';
import { readWorkbook, type Sheet } from './workbook';

interface Spent {
  cells: number;
  textBytes: number;
}

const overLimit = (spent: Spent, row: SheetRow, limits: ReadLimits): Either<ReadFailure, never> | undefined => {
  spent.cells += row.cells.filter((cell) => cell !== '').length;
  spent.textBytes += row.cells.reduce((sum, cell) => sum + cell.length + 1, 0);
  if (spent.cells > limits.cells)
    return fail('TOO_LARGE', `The workbook has more than ${limits.cells} filled cells. Split it and upload the parts.`);
  if (spent.textBytes > limits.textBytes)
    return fail('TOO_LARGE', `The workbook holds more than ${limits.textBytes} bytes of text.`);
  return undefined;
};

const maxNotices = 100;

const sheetNotices = (sheet: Sheet, hiddenRows: number, hiddenCells: number): readonly string[] => {
  const name = sheet.name.length > 100 ? `${sheet.name.slice(0, 99).toWellFormed()}…` : sheet.name;
  return [
    ...(sheet.isHidden ? [`Sheet "${name}" is hidden in the workbook; its rows are found all the same.`] : []),
    ...(hiddenRows > 0 ? [`Sheet "${name}" has ${hiddenRows} hidden rows, which are found all the same.`] : []),
    ...(hiddenCells > 0 ? [`Sheet "${name}" has hidden columns, which are found all the same.`] : []),
    ...(sheet.part === null ? [`Sheet "${name}" has no rows: charts are not read.`] : []),
  ];
};

/** Returns its notices. */
async function* readSheet(
  archive: Archive,
  sheet: Sheet,
  { sources, spent, limits }: { readonly sources: CellSources; readonly spent: Spent; readonly limits: ReadLimits },
): AsyncGenerator<Element, Either<ReadFailure, readonly string[]>> {
  if (sheet.part === null) return right(sheetNotices(sheet, 0, 0));
  const layout = await readSheetLayout(archive, sheet.part);
  if (isLeft(layout)) return layout;
  const elements = rowElements(sheet.name, layout.right.headers);
  const rows = sheetRows(archive, sheet.part, sources, layout.right.merged);
  let hiddenRows = 0;
  let hiddenCells = 0;
  try {
    let step = await rows.next();
    for (; step.done !== true; step = await rows.next()) {
      const row = step.value;
      const refused = overLimit(spent, row, limits);
      if (refused !== undefined) return refused;
      if (row.isHidden && row.cells.some((cell) => cell !== '')) hiddenRows += 1;
      if (row.hasHiddenCell) hiddenCells += 1;
      yield* elements.add(row);
    }
    if (isLeft(step.value)) return step.value;
  } finally {
    await rows.return(right(undefined));
  }
  yield* elements.end();
  return right(sheetNotices(sheet, hiddenRows, hiddenCells));
}

async function* readSheets(
  archive: Archive,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const workbook = await readWorkbook(archive);
  if (isLeft(workbook)) return workbook;
  const { sheets, startsIn1904 } = workbook.right;
  const styles = await readStyles(archive, workbook.right.styles);
  if (isLeft(styles)) return styles;
  const sharedStrings = await readSharedStrings(archive, workbook.right.sharedStrings, limits);
  if (isLeft(sharedStrings)) return sharedStrings;
  const sources = { sharedStrings: sharedStrings.right, styles: styles.right, startsIn1904 };
  const spent: Spent = { cells: 0, textBytes: 0 };
  const notices: string[] = [];
  for (const sheet of sheets) {
    const read = yield* readSheet(archive, sheet, { sources, spent, limits });
    if (isLeft(read)) return read;
    notices.push(...read.right);
  }
  return right(
    documentFacts({ format: 'xlsx', parts: sheets.map(({ name }) => name), notices: notices.slice(0, maxNotices) }),
  );
}

export async function* readXlsx(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const opened = await openArchive(file, limits);
  if (isLeft(opened)) return opened;
  try {
    return yield* readSheets(opened.right, limits);
  } finally {
    opened.right.close();
  }
}
