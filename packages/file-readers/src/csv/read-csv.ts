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

/** The first decides: within quotes, a file may have others. */
const lineBreakOf = (text: string): '\r\n' | '\n' | '\r' => {
  const [found] = /\r\n|\n|\r/.exec(text) ?? [];
  return found === '\r\n' || found === '\r' ? found : '\n';
};

const parseRecords = (text: string, delimiter: string, preview = 0): readonly (readonly string[])[] =>
  parse<string[]>(text, { delimiter, newline: lineBreakOf(text), preview, skipEmptyLines: preview > 0 }).data;

const sampleLength = 100_000;
const sampleRecords = 50;

/** How many of the first records have as many fields as most of them, if these are several. */
const regularity = (text: string, separator: string): number => {
  const counts = parseRecords(text.slice(0, sampleLength), separator, sampleRecords).map(({ length }) => length);
  const sorted = [...counts].sort((one, other) => one - other);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return usual < 2 ? 0 : counts.filter((count) => count === usual).length;
};

/** The first separator with the most regular records. */
const guessSeparator = (text: string): string => {
  const scores = separators.map((separator) => regularity(text, separator));
  return separators[scores.indexOf(Math.max(...scores))] ?? ',';
};

const recordsOf = ({ text, separator }: CsvText, endsInTab: boolean): readonly (readonly string[])[] =>
  parseRecords(text, separator ?? (endsInTab ? '\t' : guessSeparator(text)));

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
