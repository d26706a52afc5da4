/**
 * Bytes of one stream as lines. Invalid UTF-8 becomes U+FFFD. A long line, or one that a program leaves unfinished, comes in pieces:
 * nothing is held without bound, and a prompt is seen before its line ends.
 */

export interface LinePiece {
  /** Without its line break. */
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

export interface LineReader {
  readonly push: (bytes: Uint8Array) => void;
  /** Gives what has arrived of the last line, but for the end that `heldBack` counts. */
  readonly flushPartial: () => void;
  /** The stream has ended. */
  readonly end: () => void;
}

const longestPiece = 65_536;

/** Commands are read whole: they may hold a secret to be masked. */
const mayBeCommand = (text: string): boolean => /^\s*(?::|$)/.test(text);

export const openLineReader = (
  emit: (piece: LinePiece) => void,
  heldBack: (text: string) => number = () => 0,
): LineReader => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let line = '';
  let begins = true;
  const give = (text: string, ends: boolean): void => {
    emit({ text, begins, ends });
    begins = ends;
  };
  /** How much of `text` can be given: no half of a surrogate pair, and no beginning of a secret unless that is all there is. */
  const givable = (text: string): number => {
    const end = text.length - heldBack(text);
    return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
  };
  const givePartial = (): void => {
    const end = givable(line);
    if (end <= 0) return;
    give(line.slice(0, end), false);
    line = line.slice(end);
  };
  const accept = (text: string): void => {
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      line += part;
      while (line.length > longestPiece) {
        const given = givable(line.slice(0, longestPiece));
        // What is held back of a piece is given all the same when the piece is nothing else, or it would be held without bound.
        const end = given > 0 ? given : longestPiece - 1;
        give(line.slice(0, end), false);
        line = line.slice(end);
      }
      if (index === parts.length - 1) return;
      give(line.endsWith('\r') ? line.slice(0, -1) : line, true);
      line = '';
    }
  };
  return {
    push: (bytes) => accept(decoder.decode(bytes, { stream: true })),
    flushPartial: () => {
      if (line !== '' && !(begins && mayBeCommand(line))) givePartial();
    },
    end: () => {
      accept(decoder.decode());
      if (line !== '' || !begins) give(line, true);
      line = '';
    },
  };
};
