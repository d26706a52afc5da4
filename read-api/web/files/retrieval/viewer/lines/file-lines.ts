/** Lines of a text file, read from the object store. Nothing of it is rendered: HTML is shown as the text that it is. */
import { useEffect, useState } from 'preact/hooks';
import type { FileAddress } from '../../../../../../packages/client/src/schemas';
import { linesOfBytes } from './lines-of-bytes';

type FileLines =
  | { readonly kind: 'loading' }
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  /** Too large, in another encoding, or out of reach: what was extracted is shown. */
  | { readonly kind: 'unusable'; readonly why: string };

const maxBytes = 5_000_000;

const readLines = async ({ url, sizeBytes }: FileAddress, signal: AbortSignal): Promise<FileLines> => {
  if (sizeBytes > maxBytes) return { kind: 'unusable', why: 'The file is large, so only what was extracted is shown.' };
  const response = await fetch(url, { signal, credentials: 'omit' });
  if (!response.ok) return { kind: 'unusable', why: 'The file could not be read; what was extracted of it is shown.' };
  const lines = linesOfBytes(new Uint8Array(await response.arrayBuffer()));
  if (lines !== undefined) return { kind: 'lines', lines };
  return { kind: 'unusable', why: 'The file is not in UTF-8; what was extracted of it is shown.' };
};

export const useFileLines = (address: FileAddress | undefined): FileLines => {
  const [state, setState] = useState<FileLines>({ kind: 'loading' });
  useEffect(() => {
    if (address === undefined) return undefined;
    const leaving = new AbortController();
    readLines(address, leaving.signal).then(setState, () => {
      if (!leaving.signal.aborted)
        setState({ kind: 'unusable', why: 'The file could not be read; what was extracted of it is shown.' });
    });
    return () => leaving.abort();
  }, [address]);
  return state;
};
