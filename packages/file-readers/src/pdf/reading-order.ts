/**
 * Words of a line as they are read. `pdftotext` lists words and letters of Arabic and Hebrew from left to right in its list of boxes, though not in its
 * plain text.
 */
interface PlacedText {
  readonly text: string;
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /(?![\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}])\p{L}/u;
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};
/** A letter with its marks, or digits, which are written from left to right in these scripts, too. */
const unit = /[\p{Nd}]+(?:[.,:/]\p{Nd}+)*|\P{M}\p{M}*|\p{M}+/gu;

/** Letters in the order in which they are spelled; presentation forms of Arabic become letters. */
const spelled = (text: string): string =>
  (text.normalize('NFKC').match(unit) ?? [])
    .reverse()
    .map((part) => mirrored[part] ?? part)
    .join('');

type Direction = 'left' | 'right' | 'none';

const directionOf = (text: string): Direction => {
  if (rightToLeft.test(text)) return 'left';
  return leftToRight.test(text) ? 'right' : 'none';
};

/** Words of one direction that follow each other, with the numbers and marks between them. */
const runsOf = <Word extends PlacedText>(words: readonly Word[], line: Direction): readonly Word[][] => {
  const runs: { direction: Direction; words: Word[] }[] = [];
  for (const word of words) {
    const own = directionOf(word.text);
    const direction = own === 'none' ? line : own;
    const last = runs.at(-1);
    if (last?.direction === direction) last.words.push(word);
    else runs.push({ direction, words: [word] });
  }
  return runs.map((run) => (run.direction === 'left' ? run.words.reverse() : run.words));
};

/** A line without such letters stays as it is. */
export const inReadingOrder = <Word extends PlacedText>(words: readonly Word[]): readonly Word[] => {
  const count = (direction: Direction): number => words.filter(({ text }) => directionOf(text) === direction).length;
  const toLeft = count('left');
  if (toLeft === 0) return words;
  const line = toLeft >= count('right') ? 'left' : 'right';
  const runs = runsOf(words, line);
  return (line === 'left' ? [...runs].reverse() : runs)
    .flat()
    .map((word) => (rightToLeft.test(word.text) ? { ...word, text: spelled(word.text) } : word));
};
