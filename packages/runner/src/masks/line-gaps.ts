/** What programs put between the digits of one encoded value: line ends in base64, and blanks, commas or colons between bytes in hexadecimal. */

/** Of blanks at a line end and at the beginning of the next line. A longer gap ends the value, so that little is held. */
const longestGap = 64;
/** A line with fewer digits counts only if it has nothing else: words at line ends are no base64, and held text is shown late. */
const fewestDigits = 8;

const charactersOf = (text: string): Uint8Array => {
  const isIn = new Uint8Array(256);
  for (const character of text) isIn[character.charCodeAt(0)] = 1;
  return isIn;
};

const lineEnds = charactersOf('\r\n');
const blanks = charactersOf(' \t');
const lineGaps = charactersOf(' \t\r\n');
const base64Digits = charactersOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_');
const separators = charactersOf(' \t\r\n:,;.-_|/\'"[](){}\\xX');

const zero = 0x30;

const lengthOfGap = (bytes: Uint8Array, at: number, gap: Uint8Array): number | undefined => {
  let end = at;
  while (end < bytes.length && gap[bytes[end] as number] === 1) {
    if (end - at >= longestGap) return undefined;
    end += 1;
  }
  return end - at;
};

/** From the position back: how many bytes are in the set, up to a bound. */
const countBack = (bytes: Uint8Array, at: number, set: Uint8Array, most: number): number => {
  let count = 0;
  while (count < most && at - count > 0 && set[bytes[at - count - 1] as number] === 1) count += 1;
  return count;
};

/** `depth`: how many digits of a value have been read. Undefined: the value goes on or ends here. */
export type GapLength = (bytes: Uint8Array, at: number, depth: number) => number | 'incomplete' | undefined;

export const base64Gap: GapLength = (bytes, at) => {
  if (lineEnds[bytes[at] as number] !== 1) return undefined;
  const digits = countBack(bytes, at, base64Digits, fewestDigits);
  if (digits < fewestDigits) {
    const indent = at - digits - countBack(bytes, at - digits, blanks, longestGap);
    if (indent > 0 && lineEnds[bytes[indent - 1] as number] !== 1) return undefined;
  }
  return lengthOfGap(bytes, at, lineGaps);
};

/** Between whole bytes, so at least one has been read. `0x` may stand before each; of `\\x` both are separators. */
export const hexadecimalGap: GapLength = (bytes, at, depth) => {
  if (depth < 2) return undefined;
  if (separators[bytes[at] as number] === 1) return lengthOfGap(bytes, at, separators);
  if (bytes[at] !== zero) return undefined;
  if (at + 1 === bytes.length) return 'incomplete';
  return bytes[at + 1] === 0x78 || bytes[at + 1] === 0x58 ? 2 : undefined;
};
