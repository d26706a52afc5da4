/**
 * Bytes of one stream as lines. Invalid UTF-8 becomes U+FFFD. A long line, or one that a program leaves unfinished, comes in pieces:
 * nothing is held without bound, and a prompt is seen before its line ends.
 */

export interface LinePiece {
  /** Without its line break. */
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
  /** A line that must come whole and was too long for it: this is its beginning, and the rest is left out. */
  readonly isCut: boolean;
}

export interface LineReader {
  readonly push: (bytes: Uint8Array) => void;
  /** Gives what has arrived of the last line. */
  readonly flushPartial: () => void;
  /** The stream has ended. */
  readonly end: () => void;
}

const longestPiece = 65_536;
/** The longest value that is masked, with every character escaped, fits. */
const longestSecretLine = 262_144;

/** Commands are read whole: they may hold a secret to be masked. */
const mayBeCommand = (text: string): boolean => /^\s*(?::|$)/.test(text);

/** No piece of such a line may be shown. */
const holdsSecret = (text: string): boolean => /^\s*::\s*add-mask/i.test(text);

export const openLineReader = (emit: (piece: LinePiece) => void): LineReader => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let line = '';
  let begins = true;
  /** The rest of the line is left out. */
  let isCut = false;
  const emitPart = (text: string, ends: boolean): void => {
    emit({ text, begins, ends, isCut: false });
    begins = ends;
  };
  /** No half of a surrogate pair. */
  const emitPiece = (length: number): void => {
    const end = /[\uD800-\uDBFF]/.test(line.charAt(length - 1)) ? length - 1 : length;
    if (end === 0) return;
    emitPart(line.slice(0, end), false);
    line = line.slice(end);
  };
  const shorten = (): void => {
    if (line.length <= longestPiece) return;
    if (!begins || !holdsSecret(line.slice(0, longestPiece))) {
      while (line.length > longestPiece) emitPiece(longestPiece);
      return;
    }
    if (line.length <= longestSecretLine) return;
    isCut = true;
    line = line.slice(0, longestPiece);
  };
  const endLine = (): void => {
    if (isCut) emit({ text: line, begins: true, ends: true, isCut });
    else emitPart(line.endsWith('\r') ? line.slice(0, -1) : line, true);
    line = '';
    isCut = false;
  };
  const accept = (text: string): void => {
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      if (!isCut) {
        line += part;
        shorten();
      }
      if (index < parts.length - 1) endLine();
    }
  };
  return {
    push: (bytes) => accept(decoder.decode(bytes, { stream: true })),
    flushPartial: () => {
      if (line !== '' && !(begins && mayBeCommand(line))) emitPiece(line.length);
    },
    end: () => {
      accept(decoder.decode());
      if (isCut) endLine();
      else if (line !== '' || !begins) emitPart(line, true);
      line = '';
    },
  };
};
