/** A sheet around the cited rows, which are marked. */
import type { ListedFileChunk } from '../../../../../../packages/client/src/schemas';
import { AsyncContent } from '../../../../components/async-content';
import { rangesOfWords } from '../../found-words';
import { Highlighted } from '../../highlighted';
import type { CitedPassage } from '../cited-passage';
import { useScrollToCited } from '../scroll-to-cited';
import { usePassages } from '../use-passages';
import { type TableRow, tableRowsOf } from './table-rows';

interface RowProps {
  readonly row: TableRow;
  readonly columns: readonly number[];
  readonly passage: CitedPassage;
  readonly isFirstCited: boolean;
}

const none: ReadonlySet<string> = new Set();

const Row = ({ row: { number, cells, chunkId }, columns, passage, isFirstCited }: RowProps) => {
  const isCited = chunkId === passage.chunkId;
  const element = useScrollToCited<HTMLTableRowElement>(isFirstCited ? passage.chunkId : '');
  const found = isCited ? passage.found : none;
  return (
    <tr class={isCited ? 'cited' : ''} {...(isFirstCited ? { ref: element } : {})}>
      <th scope="row">
        {number ?? ''}
        {isCited && <span class="hidden-text"> cited</span>}
      </th>
      {columns.map((column) => (
        <td key={column}>
          <Highlighted text={cells[column] ?? ''} ranges={rangesOfWords(cells[column] ?? '', found)} />
        </td>
      ))}
    </tr>
  );
};

const Sheet = ({
  chunks,
  passage,
}: {
  readonly chunks: readonly ListedFileChunk[];
  readonly passage: CitedPassage;
}) => {
  const { header, rows, columns } = tableRowsOf(chunks);
  const indexes = Array.from({ length: columns }, (_, column) => column);
  const firstFound = rows.findIndex(
    ({ chunkId, cells }) =>
      chunkId === passage.chunkId && cells.some((cell) => rangesOfWords(cell, passage.found).length > 0),
  );
  const firstCited = firstFound >= 0 ? firstFound : rows.findIndex(({ chunkId }) => chunkId === passage.chunkId);
  const { sheet = null } = passage.citation;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard.
    <section class="sheet" aria-label={sheet === null ? 'Rows' : `Sheet ${sheet}`} tabIndex={0}>
      <table>
        {header.length > 0 && (
          <thead>
            <tr>
              <th scope="col">Row</th>
              {indexes.map((column) => (
                <th key={column} scope="col">
                  {header[column] ?? ''}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            <Row
              // Rows have no id, and stay in their order.
              key={`${row.chunkId} ${at}`}
              row={row}
              columns={indexes}
              passage={passage}
              isFirstCited={at === firstCited}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
};

interface Props {
  readonly fileId: string;
  readonly versionId: string;
  readonly passage: CitedPassage;
}

export const TableViewer = ({ fileId, versionId, passage }: Props) => {
  const passages = usePassages(fileId, { versionId, chunkId: passage.chunkId });
  const { sheet = null } = passage.citation;
  return (
    <AsyncContent source={passages} rows={8}>
      {({ items }) => (
        <>
          <Sheet
            chunks={items.filter(({ citation }) => citation.type === 'row' && (citation.sheet ?? null) === sheet)}
            passage={passage}
          />
          {passages.more !== undefined && (
            <button type="button" class="button" onClick={passages.more}>
              Show more rows
            </button>
          )}
        </>
      )}
    </AsyncContent>
  );
};
