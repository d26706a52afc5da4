/** Texts of PDF by pdf.js, whose geometry is that of the viewer which shows citations. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { TextItem } from 'pdfjs-dist/types/src/display/api';
import type { Box } from '../../../../domain/files/content/anchor';

export interface DisplayedText extends Box {
  readonly text: string;
}

export interface DisplayedPage {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly DisplayedText[];
}

const files = dirname(require.resolve('pdfjs-dist/package.json'));

const openPdf = async (bytes: Uint8Array): Promise<PDFDocumentProxy> => {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  return getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    standardFontDataUrl: `${join(files, 'standard_fonts')}/`,
    cMapUrl: `${join(files, 'cmaps')}/`,
    cMapPacked: true,
  }).promise;
};

const descent = 0.3;

const displayedPage = async (page: PDFPageProxy): Promise<DisplayedPage> => {
  const viewport = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const texts = items
    .filter((item): item is TextItem => 'str' in item && item.str.trim() !== '')
    .map(({ str, transform, width, height }) => {
      const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform as number[];
      const along = Math.hypot(a, b) || 1;
      const up = Math.hypot(c, d) || 1;
      const letters = height || up;
      const corners = [
        [0, -descent],
        [1, -descent],
        [0, 1],
        [1, 1],
      ].map(([u = 0, v = 0]) =>
        viewport.convertToViewportPoint(
          x + (a / along) * width * u + (c / up) * letters * v,
          y + (b / along) * width * u + (d / up) * letters * v,
        ),
      ) as [number, number][];
      const xs = corners.map(([left]) => left / viewport.width);
      const ys = corners.map(([, top]) => top / viewport.height);
      const left = Math.min(...xs);
      const top = Math.min(...ys);
      return { text: str.normalize('NFKC'), x: left, y: top, w: Math.max(...xs) - left, h: Math.max(...ys) - top };
    });
  return { width: viewport.width, height: viewport.height, texts };
};

export interface DisplayedDocument {
  readonly pages: readonly DisplayedPage[];
  readonly labels: readonly (string | null)[];
}

/** Null for what it cannot open. */
export const displayedDocument = async (path: string): Promise<DisplayedDocument | null> => {
  const opened = await openPdf(readFileSync(path)).catch(() => null);
  if (opened === null) return null;
  const pages: DisplayedPage[] = [];
  for (let number = 1; number <= opened.numPages; number += 1)
    pages.push(await displayedPage(await opened.getPage(number)));
  const labels = await opened.getPageLabels();
  await opened.loadingTask.destroy();
  return { pages, labels: pages.map((_, index) => labels?.[index] ?? null) };
};

/** The one text of a document of one page. */
export const displayedWord = async (bytes: Uint8Array): Promise<DisplayedText & Omit<DisplayedPage, 'texts'>> => {
  const opened = await openPdf(bytes);
  const page = await displayedPage(await opened.getPage(1));
  await opened.loadingTask.destroy();
  const [text] = page.texts;
  if (text === undefined) throw new Error('the page has no text');
  return { ...text, width: page.width, height: page.height };
};
