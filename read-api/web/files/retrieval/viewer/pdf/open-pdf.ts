/** Opens a PDF by a signed address of its bytes. Its scripts and links are never run: pages are drawn, and nothing else is made of them. */

import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
import { openWorker } from '../../../../kernel/worker';
import { ReaderData } from './reader-data';

interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  readonly close: () => void;
}

/** Larger pictures in a page are left out, and so is a page beyond it. */
const maxPixels = 64_000_000;

export const openPdf = (url: string): OpenPdf => {
  const port = openWorker('pdf');
  const worker = PDFWorker.create({ port });
  const task = getDocument({
    url,
    worker,
    BinaryDataFactory: ReaderData,
    useWorkerFetch: false,
    // The same fonts on every machine.
    useSystemFonts: false,
    // The reader requests such data only where it has an address of them; `ReaderData` has the real ones.
    standardFontDataUrl: '/fonts/',
    wasmUrl: '/wasm/',
    isEvalSupported: false,
    enableXfa: false,
    maxImageSize: maxPixels,
  });
  return {
    document: task.promise,
    close: () => {
      void task.destroy().finally(() => {
        worker.destroy();
        port.terminate();
      });
    },
  };
};

/** In a sentence for the reader. */
export const whyNotOpen = (error: unknown): string =>
  // The reader's own exceptions are known by their names.
  error instanceof Error && error.name === 'PasswordException'
    ? 'The file is protected by a password.'
    : 'Its bytes could not be read. Try again, or download the file.';
