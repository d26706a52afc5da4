/** The sheets of a workbook, and the parts that their cells refer to. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { titleText } from '../text-cleaning';
import { damagedPart, type Relationship, readPart, relationshipsOf } from '../xml/read-part';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Its entry; null for charts and dialogs, which have no rows. */
  readonly part: string | null;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Dates count from 1904, as Excel for Macintosh once did. */
  readonly startsIn1904: boolean;
  readonly sharedStrings: string | null;
  readonly styles: string | null;
}

const maxSheets = 10_000;
const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

const partOf = (relationships: readonly Relationship[], archive: Archive, type: string): string | null => {
  const target = relationships.find((relationship) => relationship.type === type)?.target;
  return target !== undefined && archive.sizes.has(target) ? target : null;
};

export const readWorkbook = async (archive: Archive): Promise<Either<ReadFailure, Workbook>> => {
  const outer = await relationshipsOf(archive, '');
  if (isLeft(outer)) return outer;
  const main = outer.right.find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined) return damagedPart;
  const inner = await relationshipsOf(archive, main);
  if (isLeft(inner)) return inner;
  const relationships = inner.right;
  const sheets: Sheet[] = [];
  let startsIn1904 = false;
  const read = await readPart(archive, main, {
    open: (name, attributes) => {
      // An extension may have an element of that name, too.
      if (name === 'workbookPr') startsIn1904 ||= isTrue(attributes.get('date1904'));
      if (name !== 'sheet' || sheets.length >= maxSheets) return;
      const id = attributes.getPrefixed('id');
      const found = relationships.find((relationship) => relationship.id === id);
      sheets.push({
        name: titleText(attributes.get('name'), 255) ?? `Sheet ${sheets.length + 1}`,
        isHidden: /hidden/i.test(attributes.get('state') ?? ''),
        part: found?.type === 'worksheet' && archive.sizes.has(found.target) ? found.target : null,
      });
    },
  });
  if (isLeft(read)) return read;
  return right({
    sheets,
    startsIn1904,
    sharedStrings: partOf(relationships, archive, 'sharedStrings'),
    styles: partOf(relationships, archive, 'styles'),
  });
};
