/** Computes the SHA-256 of a file piece by piece, beside the page, so that neither memory nor typing notice. Answers `{ sha256 }` or `{ error }`. */
import { createSha256 } from './sha256';

declare const self: {
  onmessage: ((event: { readonly data: Blob }) => void) | null;
  readonly postMessage: (message: unknown) => void;
};

const pieceBytes = 4 * 1_024 * 1_024;

const hashOf = async (file: Blob): Promise<string> => {
  const hash = createSha256();
  for (let at = 0; at < file.size; at += pieceBytes)
    hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  return hash.digest();
};

self.onmessage = ({ data }) => {
  hashOf(data).then(
    (sha256) => self.postMessage({ sha256 }),
    (error: unknown) => self.postMessage({ error: String(error) }),
  );
};
