/** Texts that cells refer to by number. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { fail, type ReadLimits } from '../reader';
import { cleanCell } from '../tables/row-elements';
import { readPart } from '../xml/read-part';
import { richText } from './rich-text';

/** Excel's own limit of a cell's text is 32,767. */
const maxText = 100_000;

export const readSharedStrings = async (
  archive: Archive,
  part: string | null,
  limits: ReadLimits,
): Promise<Either<ReadFailure, readonly string[]>> => {
  const strings: string[] = [];
  if (part === null) return right(strings);
  const current = richText();
  let bytes = 0;
  const read = await readPart(archive, part, {
    open: current.open,
    text: current.text,
    close: (name) => {
      current.close(name);
      if (name !== 'si') return;
      const text = cleanCell(current.take().slice(0, maxText));
      bytes += text.length;
      // Above the limit, which is answered below, nothing is kept.
      if (bytes <= limits.textBytes && strings.length < limits.cells) strings.push(text);
    },
  });
  if (isLeft(read)) return read;
  if (bytes > limits.textBytes)
    return fail('TOO_LARGE', `The workbook holds more than ${limits.textBytes} bytes of text.`);
  return right(strings);
};
