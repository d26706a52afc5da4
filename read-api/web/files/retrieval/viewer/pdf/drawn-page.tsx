/** One page of a PDF: drawn, with its text over it for selection and screen readers, and the boxes of the citation. */
import { type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MarkedBox } from '../marked-box';
import { RegionBoxes } from '../region-boxes';

/** Of the canvas; a larger page is drawn coarser. */
const maxPixels = 16_000_000;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Props {
  readonly document: PDFDocumentProxy;
  readonly pageNumber: number;
  /** 1: as wide as there is room. */
  readonly zoom: number;
  readonly boxes: readonly MarkedBox[];
}

const drawCanvas = async (page: PDFPageProxy, canvas: HTMLCanvasElement, scale: number, signal: AbortSignal) => {
  const { width, height } = page.getViewport({ scale });
  const density = Math.min(devicePixelRatio, Math.sqrt(maxPixels / (width * height)));
  const viewport = page.getViewport({ scale: scale * density });
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  const task = page.render({ canvas, viewport });
  const stop = (): void => task.cancel();
  signal.addEventListener('abort', stop);
  await task.promise.finally(() => signal.removeEventListener('abort', stop));
};

const drawText = async (page: PDFPageProxy, container: HTMLElement, scale: number, signal: AbortSignal) => {
  container.replaceChildren();
  const viewport = page.getViewport({ scale });
  container.style.setProperty('--total-scale-factor', String(scale));
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport });
  const stop = (): void => layer.cancel();
  signal.addEventListener('abort', stop);
  await layer.render().finally(() => signal.removeEventListener('abort', stop));
};

/** Follows the width of the element. */
const useWidth = () => {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
};

type State = { readonly kind: 'drawing' | 'drawn' | 'failed'; readonly key: string };

export const DrawnPage = ({ document, pageNumber, zoom, boxes }: Props) => {
  const { element, width } = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const key = `${pageNumber} ${width} ${zoom}`;
  const [state, setState] = useState<State>({ kind: 'drawing', key });
  useEffect(() => {
    const [drawn, written] = [canvas.current, text.current];
    if (width === 0 || drawn === null || written === null) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const draw = async (): Promise<void> => {
      const page = await document.getPage(pageNumber);
      if (signal.aborted) return;
      const scale = (width / page.getViewport({ scale: 1 }).width) * zoom;
      const { width: pageWidth, height: pageHeight } = page.getViewport({ scale });
      setSize({ width: pageWidth, height: pageHeight });
      await Promise.all([drawCanvas(page, drawn, scale, signal), drawText(page, written, scale, signal)]);
    };
    draw().then(
      () => setState({ kind: 'drawn', key }),
      () => {
        if (!signal.aborted) setState({ kind: 'failed', key });
      },
    );
    return () => leaving.abort();
  }, [document, key]);
  const isDrawn = state.key === key && state.kind === 'drawn';
  const hasFailed = state.key === key && state.kind === 'failed';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an enlarged page is scrolled by keyboard.
    <section class="pdf-page-room" ref={element} aria-label={`Page ${pageNumber}`} tabIndex={0}>
      {hasFailed && (
        <p class="notice bad" role="alert">
          This page could not be drawn.
        </p>
      )}
      <div
        class={isDrawn ? 'pdf-page is-drawn' : 'pdf-page'}
        style={size === undefined ? {} : { width: `${size.width}px`, height: `${size.height}px` }}
      >
        <div class="pdf-canvas" aria-hidden="true">
          <canvas ref={canvas} />
        </div>
        {/* Its text is what the canvas draws, so screen readers have this alone. */}
        <section class="pdf-text" ref={text} aria-label={`Text of page ${pageNumber}`} />
        {isDrawn && <RegionBoxes boxes={boxes} />}
      </div>
    </section>
  );
};
