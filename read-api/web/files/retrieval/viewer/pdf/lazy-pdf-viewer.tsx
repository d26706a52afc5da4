/** Loads the reader of PDF with the first PDF: other files are shown without it. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PdfViewerProps } from './pdf-viewer';

let loaded: ComponentType<PdfViewerProps> | undefined;

export const LazyPdfViewer = (props: PdfViewerProps) => {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded === undefined ? 'loading' : 'loaded');
  useEffect(() => {
    if (state !== 'loading') return;
    import('./pdf-viewer').then(
      ({ PdfViewer }) => {
        loaded = PdfViewer;
        setState('loaded');
      },
      () => setState('failed'),
    );
  }, [state]);
  const Show = loaded;
  if (Show !== undefined) return <Show {...props} />;
  if (state === 'loading') return <div class="skeleton" role="status" aria-label="Loading" />;
  return (
    <div class="notice bad" role="alert">
      <p>The reader of PDF could not be loaded. Check the connection and try again.</p>
      <div class="actions">
        <button type="button" class="button small" onClick={() => setState('loading')}>
          Try again
        </button>
      </div>
    </div>
  );
};
