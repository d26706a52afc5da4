/** Characters of fonts with an encoding of their own (`w:sym`), as Unicode. */

/** Adobe's Symbol encoding; a blank where it has no character. */
const symbolFont = new Map(
  [
    [0x21, '!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
    [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪'],
    [0xf1, '〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'],
  ].flatMap(([first, row]) => [...String(row)].map((character, index) => [Number(first) + index, character] as const)),
);

/** Of Wingdings, what stands in texts: bullets, boxes, arrows. */
const wingdings = new Map([
  [0x4a, '☺'],
  [0x4c, '☹'],
  [0x6c, '●'],
  [0x6e, '■'],
  [0x6f, '□'],
  [0x71, '❑'],
  [0x72, '❒'],
  [0x75, '◆'],
  [0x76, '❖'],
  [0x77, '⬥'],
  [0x9f, '•'],
  [0xa7, '▪'],
  [0xa8, '◻'],
  [0xd8, '➢'],
  [0xdf, '←'],
  [0xe0, '→'],
  [0xe1, '↑'],
  [0xe2, '↓'],
  [0xe8, '➔'],
  [0xef, '⇦'],
  [0xf0, '⇨'],
  [0xfb, '✗'],
  [0xfc, '✓'],
  [0xfd, '☒'],
  [0xfe, '☑'],
]);

const fonts: Readonly<Record<string, ReadonlyMap<number, string>>> = { symbol: symbolFont, wingdings };

/** `code`: hexadecimal; fonts with their own encoding have theirs from F000 on. '' for what has no character in Unicode. */
export const symbol = (font: string, code: string): string => {
  if (!/^[0-9a-f]{1,4}$/i.test(code)) return '';
  const number = Number.parseInt(code, 16);
  const ofFont = fonts[font.toLowerCase()];
  const isPrivate = number >= 0xe000 && number <= 0xf8ff;
  if (ofFont !== undefined) return ofFont.get(isPrivate ? number & 0xff : number) ?? '';
  return isPrivate || (number >= 0xd800 && number <= 0xdfff) ? '' : String.fromCharCode(number);
};
