/** Rows of a sheet, of the chunks that repeat the row with the names of the columns above them. */
import type { ListedFileChunk } from '../../../../../../packages/client/src/schemas';

export interface TableRow {
  /** As the program that opens the file numbers it; undefined where blank rows were left out. */
  readonly number: number | undefined;
  readonly cells: readonly string[];
  readonly chunkId: string;
}

interface TableRows {
  /** Names of the columns; empty where the sheet does not name them. */
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  readonly columns: number;
}

const linesOf = ({ content }: ListedFileChunk): readonly string[] => content.split('\n');

/** What the line of the file before the first row of the chunk is, in chunks after the first. */
const repeatedHeader = (chunks: readonly ListedFileChunk[]): string | undefined => {
  const later = chunks.filter(({ citation: { rowStart = 1, rowEnd = rowStart }, content }) => {
    const lines = content.split('\n').length;
    return lines > rowEnd - rowStart + 1;
  });
  return later[0] === undefined ? undefined : linesOf(later[0])[0];
};

const rowsOf = (chunk: ListedFileChunk, header: string | undefined): readonly TableRow[] => {
  const { rowStart = 1, rowEnd = rowStart } = chunk.citation;
  const lines = linesOf(chunk);
  const isRepeated = header !== undefined && lines[0] === header && lines.length > 1 && rowStart > 1;
  const own = isRepeated ? lines.slice(1) : lines;
  const isWhole = own.length === rowEnd - rowStart + 1;
  return own.map((line, at) => ({
    number: isWhole ? rowStart + at : undefined,
    cells: line.split('\t'),
    chunkId: chunk.chunkId,
  }));
};

/** `chunks`: of one sheet, in order. */
export const tableRowsOf = (chunks: readonly ListedFileChunk[]): TableRows => {
  const header = repeatedHeader(chunks);
  const all = chunks.flatMap((chunk) => rowsOf(chunk, header));
  const rows = header === undefined ? all : all.filter(({ cells }) => cells.join('\t') !== header);
  const names = header === undefined ? [] : header.split('\t');
  const columns = Math.max(names.length, ...rows.map(({ cells }) => cells.length));
  return { header: names, rows, columns };
};
