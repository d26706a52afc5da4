/** What is left out of extracted text, and how it is cut. */

const controls = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
/** Invisible, and between letters of one word: soft hyphens, zero-width spaces, marks of byte order. Joiners, which spelling needs, stay. */
const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;
const ligatures: Readonly<Record<string, string>> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
};
const plainAscii = /^[\x20-\x7e]*$/;

/** A line as people search for it: without controls and invisible characters, ligatures spelled out, composed (NFC). */
export const cleanLine = (text: string): string =>
  plainAscii.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(/[\t\u00A0]/g, ' ')
        .replace(controls, '')
        .replace(invisible, '')
        .replace(/[ﬀ-ﬆ]/g, (ligature) => ligatures[ligature] ?? ligature)
        .normalize('NFC');

/** Of what names a document, a sheet or a section: one line of at most `maxLength`, or null. */
export const titleText = (text: string | null | undefined, maxLength = 500): string | null => {
  const line = cleanLine((text ?? '').replace(/[\r\n\t]+/g, ' ')).trim();
  return line === '' ? null : line.slice(0, maxLength).toWellFormed();
};

/** Where a text longer than `most` is cut: behind the last space that leaves at least half, never within a character. */
export const cutBefore = (text: string, most: number): number => {
  if (text.length <= most) return text.length;
  const space = text.lastIndexOf(' ', most - 1);
  if (space >= most / 2) return space + 1;
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(most - 1, most + 1));
  return isPair ? most - 1 : most;
};
