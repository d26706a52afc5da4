/** What kind of number each style shows. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { readPart } from '../xml/read-part';
import { type NumberKind, numberKind } from './cell-text';

const maxStyles = 100_000;

/** By the number that a cell names (18.3.1.4, `s`). */
export const readStyles = async (
  archive: Archive,
  part: string | null,
): Promise<Either<ReadFailure, readonly NumberKind[]>> => {
  if (part === null) return right([]);
  const formats = new Map<number, string>();
  const styles: number[] = [];
  let isCellStyles = false;
  const read = await readPart(archive, part, {
    open: (name, attributes) => {
      if (name === 'cellXfs') isCellStyles = true;
      if (name === 'numFmt' && formats.size < maxStyles)
        formats.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      if (name === 'xf' && isCellStyles && styles.length < maxStyles)
        styles.push(Number(attributes.get('numFmtId') ?? 0));
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyles = false;
    },
  });
  return isLeft(read) ? read : right(styles.map((id) => numberKind(id, formats.get(id))));
};
