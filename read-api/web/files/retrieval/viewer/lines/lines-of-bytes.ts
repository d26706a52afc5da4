/** Lines of a text, counted as citations count them. */
const startsWith = (bytes: Uint8Array, ...mark: readonly number[]): boolean =>
  mark.every((byte, at) => bytes[at] === byte);

const encodingOf = (bytes: Uint8Array): string => {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  return startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8';
};

/** A break ends a line, and a last one begins none, as lines of citations are counted. Undefined: it is in another encoding. */
export const linesOfBytes = (bytes: Uint8Array): readonly string[] | undefined => {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    // Without a mark, UTF-16 has zeros where letters of Latin are.
    if (text.includes('\0')) return undefined;
    const lines = text.split(/\r\n|\n|\r/);
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  } catch {
    return undefined;
  }
};
