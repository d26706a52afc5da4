/** Reads CSV: a row for each record. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { parse } from 'papaparse';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, fail, type ReadableFile, type ReadLimits } from '../reader';
import { cleanCell, rowElements, type TableRow } from '../tables/row-elements';
import { readFileText } from '../text/read-file-text';

const separators = [',', ';', '\t', '|'];
/** Excel takes it for its own, and shows no row for it. */
const separatorLine = /^sep=([^\r\n])(?:\r\n|\n|\r)/i;

interface CsvText {
  readonly text: string;
  readonly separator: string | undefined;
}

const withoutSeparatorLine = (text: string): CsvText => {
  const [line, separator] = separatorLine.exec(text) ?? [];
  return line === undefined ? { text, separator: undefined } : { text: text.slice(line.length), separator };
};

/** `papaparse` takes the longest line for a broken quote; only the first rows decide which line break is meant. */
const lineBreakOf = (text: string): '\r\n' | '\n' | '\r' => {
  const [found] = /\r\n|\n|\r/.exec(text) ?? [];
  return found === '\r\n' || found === '\r' ? found : '\n';
};

const recordsOf = ({ text, separator }: CsvText, endsInTab: boolean): readonly (readonly string[])[] =>
  parse<string[]>(text, {
    delimiter: separator ?? (endsInTab ? '\t' : ''),
    delimitersToGuess: separators,
    newline: lineBreakOf(text),
    skipEmptyLines: false,
  }).data;

export async function* readCsv(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const decoded = await readFileText(file, limits);
  if (isLeft(decoded)) return decoded;
  const { text, encoding } = decoded.right;
  const records = recordsOf(withoutSeparatorLine(text), /\.(?:tsv|tab)$/i.test(file.name));
  const elements = rowElements(null);
  let cells = 0;
  for (const [index, record] of records.entries()) {
    const row: TableRow = { number: index + 1, cells: record.map(cleanCell) };
    cells += row.cells.filter((cell) => cell !== '').length;
    if (cells > limits.cells)
      return fail('TOO_LARGE', `The file has more than ${limits.cells} cells. Split it and upload the parts.`);
    yield* elements.add(row);
  }
  yield* elements.end();
  return right(documentFacts({ format: 'csv', encoding }));
}
