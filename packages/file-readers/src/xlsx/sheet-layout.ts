/** What stands behind the rows of a sheet, or elsewhere, but changes how they are read: merged cells, and the headers of its tables. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { readPart, relationshipsOf } from '../xml/read-part';
import { type CellRange, cellRange } from './references';

export interface SheetLayout {
  /** Those over several rows, by their first row. */
  readonly merged: ReadonlyMap<number, readonly CellRange[]>;
  readonly headers: ReadonlySet<number>;
}

const maxMerged = 100_000;
const maxTables = 200;
const overlap = 300;
/** Found in the bytes: parsing the sheet twice would cost twice. What it finds in a comment does little harm. */
const mergedCell = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+\d+:[A-Z]+\d+)"/g;

const readMerged = async (archive: Archive, part: string): Promise<Either<ReadFailure, SheetLayout['merged']>> => {
  const merged = new Map<number, CellRange[]>();
  const chunks = archive.stream(part);
  let before = '';
  let count = 0;
  let step = await chunks.next();
  for (; step.done !== true; step = await chunks.next()) {
    const text = before + step.value.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(mergedCell)) {
      end = match.index + match[0].length;
      const range = cellRange(match[1] ?? '');
      if (range === undefined || range.last.row <= range.first.row || count >= maxMerged) continue;
      count += 1;
      merged.set(range.first.row, [...(merged.get(range.first.row) ?? []), range]);
    }
    before = text.slice(Math.max(end, text.length - overlap));
  }
  return isLeft(step.value) ? step.value : right(merged);
};

/** The first row of each table that has a header (18.5.1.2). */
const readHeaders = async (archive: Archive, part: string): Promise<Either<ReadFailure, ReadonlySet<number>>> => {
  const headers = new Set<number>();
  const relationships = await relationshipsOf(archive, part);
  if (isLeft(relationships)) return relationships;
  const tables = relationships.right.filter(({ type, target }) => type === 'table' && archive.sizes.has(target));
  for (const { target } of tables.slice(0, maxTables)) {
    const read = await readPart(archive, target, {
      open: (name, attributes) => {
        const range = name === 'table' ? cellRange(attributes.get('ref') ?? '') : undefined;
        if (range !== undefined && attributes.get('headerRowCount') !== '0') headers.add(range.first.row);
      },
    });
    if (isLeft(read)) return read;
  }
  return right(headers);
};

export const readSheetLayout = async (archive: Archive, part: string): Promise<Either<ReadFailure, SheetLayout>> => {
  const merged = await readMerged(archive, part);
  if (isLeft(merged)) return merged;
  const headers = await readHeaders(archive, part);
  return isLeft(headers) ? headers : right({ merged: merged.right, headers: headers.right });
};
