/** Makes elements of the blocks of pages: words joined over lines, headings known by the size of their letters. */
import { type Box, maxBoxes } from '../../../../domain/files/content/anchor';
import { type Element, maxElementText, type WordBox } from '../../../../domain/files/content/element';
import { boxAround, type Line, type PageText } from './page-text';

/** How often letters of each height occur, so that larger ones are known. */
export interface LetterHeights {
  readonly add: (page: PageText) => void;
  /** The level of a heading in letters of this height; null for those of the text. */
  readonly headingLevel: (height: number) => number | null;
}

const lettersOf = (line: Line): number => line.words.reduce((sum, { text }) => sum + text.length, 0);
const halfPoints = (height: number): number => Math.round(height * 2);
/** How much larger than the text a heading of each level is, at least. */
const headingSizes = [1.7, 1.35, 1.15];

export const letterHeights = (): LetterHeights => {
  const counts = new Map<number, number>();
  let most = 0;
  return {
    add: ({ blocks }) => {
      for (const line of blocks.flat()) {
        const size = halfPoints(line.height);
        counts.set(size, (counts.get(size) ?? 0) + lettersOf(line));
      }
      for (const [size, count] of counts) if (count > (counts.get(most) ?? 0)) most = size;
    },
    headingLevel: (height) => {
      const level = most === 0 ? -1 : headingSizes.findIndex((times) => halfPoints(height) >= times * most);
      return level < 0 ? null : level + 1;
    },
  };
};

interface JoinedText {
  readonly text: string;
  readonly words: readonly WordBox[];
}

/** The part of a word where its line ends: `extrac-` and `tion` are one word. A dash alone, or behind a digit, stays. */
const brokenWord = /\p{L}[-\u2010]$/u;
const lowerCase = /^\p{Ll}/u;

const joinWords = (lines: readonly Line[], pageNumber: number): JoinedText => {
  let text = '';
  const words: WordBox[] = [];
  for (const [lineIndex, line] of lines.entries())
    for (const [index, word] of line.words.entries()) {
      const isContinuation = index === 0 && lineIndex > 0 && brokenWord.test(text) && lowerCase.test(word.text);
      const last = words.at(-1);
      if (isContinuation && last !== undefined) {
        text = text.slice(0, -1);
        words[words.length - 1] = { ...last, length: last.length - 1 };
      } else if (text !== '') text += ' ';
      words.push({ start: text.length, length: word.text.length, pageNumber, box: word.box });
      text += word.text;
    }
  return { text, words };
};

const bullet = /^(?:[•‣▪▫◦●○■□–—·*-]|\(?(?:\d{1,3}|[a-z])[.)]) \S/u;
const hasLetter = /\p{L}/u;
const maxHeadingText = 200;

interface Passage {
  readonly lines: readonly Line[];
  readonly level: number | null;
}

/** Lines of a block that differ in size are a heading and its text. Long blocks are cut, for an anchor has a box for each line. */
const passagesOf = (block: readonly Line[], heights: LetterHeights): readonly Passage[] => {
  const passages: { lines: Line[]; level: number | null; letters: number }[] = [];
  for (const line of block) {
    const level = heights.headingLevel(line.height);
    const letters = lettersOf(line) + line.words.length;
    const last = passages.at(-1);
    const fits = last !== undefined && last.lines.length < maxBoxes && last.letters + letters < maxElementText;
    if (fits && last.level === level) {
      last.lines.push(line);
      last.letters += letters;
    } else passages.push({ lines: [line], level, letters });
  }
  return passages;
};

const kindOf = (text: string, level: number | null): Element['kind'] => {
  if (level !== null && text.length <= maxHeadingText && hasLetter.test(text)) return 'heading';
  return bullet.test(text) ? 'list_item' : 'paragraph';
};

const boxesOf = (lines: readonly Line[]): readonly Box[] => lines.map(({ box }) => box);

/** Lines longer than an element may be are of a hostile file: they are cut. */
const boundedLine = (line: Line): readonly Line[] => {
  const cut: Line[] = [];
  let words: Line['words'][number][] = [];
  let length = 0;
  const finish = (): void => {
    if (words.length > 0) cut.push({ ...line, words, box: boxAround(words.map(({ box }) => box)) });
    words = [];
    length = 0;
  };
  for (const word of line.words) {
    if (words.length >= maxLineWords || length + word.text.length >= maxElementText / 2) finish();
    words.push(
      word.text.length > maxWordText ? { ...word, text: word.text.slice(0, maxWordText).toWellFormed() } : word,
    );
    length += word.text.length + 1;
  }
  finish();
  return cut;
};
const maxLineWords = 1_000;
const maxWordText = 5_000;

/** The elements of a page in reading order. `pageLabel` is null where it is the physical number. */
export const elementsOf = (
  { pageNumber, blocks }: PageText,
  pageLabel: string | null,
  heights: LetterHeights,
): readonly Element[] =>
  blocks
    .flatMap((block) => passagesOf(block.flatMap(boundedLine), heights))
    .map(({ lines, level }) => {
      const { text, words } = joinWords(lines, pageNumber);
      const kind = kindOf(text, level);
      return {
        kind,
        modality: 'text',
        level: kind === 'heading' ? level : null,
        text,
        anchor: { type: 'page', pageNumber, pageLabel, boxes: boxesOf(lines).map((box) => ({ pageNumber, box })) },
        words,
        confidence: null,
      };
    });
