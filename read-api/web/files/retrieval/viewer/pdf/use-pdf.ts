/** The PDF of a page, open while the page shows it. */
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'preact/hooks';
import { openPdf, whyNotOpen } from './open-pdf';

type PdfState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly document: PDFDocumentProxy }
  | { readonly kind: 'failed'; readonly why: string };

const opening: PdfState = { kind: 'opening' };

/** Undefined: the address is not known yet. */
export const usePdf = (url: string | undefined): PdfState => {
  const [state, setState] = useState<PdfState>(opening);
  useEffect(() => {
    setState(opening);
    if (url === undefined) return undefined;
    let isLeft = false;
    const { document, close } = openPdf(url);
    document.then(
      (opened) => {
        if (!isLeft) setState({ kind: 'open', document: opened });
      },
      (error: unknown) => {
        if (!isLeft) setState({ kind: 'failed', why: whyNotOpen(error) });
      },
    );
    return () => {
      isLeft = true;
      close();
    };
  }, [url]);
  return state;
};
