/** A PDF at its citation: pages one by one, drawn with the boxes of what was cited. */
import { useEffect, useState } from 'preact/hooks';
import type { PageBox } from '../../../../../../packages/client/src/schemas';
import { EmptyState } from '../../../../components/empty-state';
import { ProblemMessage } from '../../../../components/problem-message';
import type { CitedPassage } from '../cited-passage';
import type { FileAddressSource } from '../file-address';
import type { MarkedBox } from '../marked-box';
import { DrawnPage } from './drawn-page';
import { usePdf } from './use-pdf';

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;

/** The letters of a whole page are too small on a phone: it opens enlarged, at what is cited. */
const zoomAtFirst = (isCited: boolean): number => (isCited && matchMedia('(width < 600px)').matches ? 2 : 1);

interface ToolsProps {
  readonly pageNumber: number;
  readonly pages: number;
  readonly zoom: number;
  readonly onPage: (pageNumber: number) => void;
  readonly onZoom: (zoom: number) => void;
}

const PageTools = ({ pageNumber, pages, zoom, onPage, onZoom }: ToolsProps) => {
  const [typed, setTyped] = useState(String(pageNumber));
  useEffect(() => setTyped(String(pageNumber)), [pageNumber]);
  const at = (zooms as readonly number[]).indexOf(zoom);
  const goTyped = (): void => {
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted);
    else setTyped(String(pageNumber));
  };
  return (
    <div class="viewer-tools" role="toolbar" aria-label="Pages and zoom">
      <button type="button" class="button small" disabled={pageNumber <= 1} onClick={() => onPage(pageNumber - 1)}>
        Previous page
      </button>
      <label class="page-number">
        Page{' '}
        <input
          type="text"
          inputMode="numeric"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={goTyped}
          onKeyDown={(event) => {
            if (event.key === 'Enter') goTyped();
          }}
        />{' '}
        of {pages}
      </label>
      <button type="button" class="button small" disabled={pageNumber >= pages} onClick={() => onPage(pageNumber + 1)}>
        Next page
      </button>
      <span class="zoom">
        <button
          type="button"
          class="button small"
          aria-label="Zoom out"
          disabled={at <= 0}
          onClick={() => onZoom(zooms[at - 1] ?? zoom)}
        >
          −
        </button>
        <span role="status" aria-label="Zoom">
          {Math.round(zoom * 100)} %
        </span>
        <button
          type="button"
          class="button small"
          aria-label="Zoom in"
          disabled={at >= zooms.length - 1}
          onClick={() => onZoom(zooms[at + 1] ?? zoom)}
        >
          +
        </button>
      </span>
    </div>
  );
};

/** Lines of the passage, and over them the words by which it was found. */
const boxesOn = (pageNumber: number, { citation, words }: CitedPassage): readonly MarkedBox[] => {
  const isHere = (one: { readonly pageNumber: number | null }): boolean => one.pageNumber === pageNumber;
  const lines: readonly PageBox[] = citation.boxes ?? [];
  return [
    ...lines.filter(isHere).map(({ box }) => ({ box, kind: 'passage' }) as const),
    ...words.filter(isHere).map(({ box }) => ({ box, kind: 'word' }) as const),
  ];
};

export interface PdfViewerProps {
  readonly address: FileAddressSource;
  /** Undefined: the file is opened at its beginning. */
  readonly passage: CitedPassage | undefined;
}

export const PdfViewer = ({ address, passage }: PdfViewerProps) => {
  const pdf = usePdf(address.content?.url);
  const cited = passage?.words[0]?.pageNumber ?? passage?.citation.pageNumber ?? 1;
  const [pageNumber, setPageNumber] = useState(cited);
  const [zoom, setZoom] = useState(() => zoomAtFirst(passage !== undefined));
  // Another citation of the file is on another page.
  useEffect(() => setPageNumber(cited), [cited, passage?.chunkId]);
  if (address.problem !== undefined) return <ProblemMessage problem={address.problem} retry={address.reload} />;
  if (pdf.kind === 'failed') return <EmptyState title="The pages cannot be shown">{pdf.why}</EmptyState>;
  if (pdf.kind === 'opening') return <div class="skeleton" role="status" aria-label="Loading" />;
  const { document } = pdf;
  const visible = Math.min(pageNumber, document.numPages);
  return (
    <section class="pdf-viewer" aria-label="Pages">
      <PageTools pageNumber={visible} pages={document.numPages} zoom={zoom} onPage={setPageNumber} onZoom={setZoom} />
      <DrawnPage
        document={document}
        pageNumber={visible}
        zoom={zoom}
        boxes={passage === undefined ? [] : boxesOn(visible, passage)}
      />
    </section>
  );
};
