/** The words of each page by `pdftotext`, grouped as it groups them, with boxes in fractions of the page as displayed. */
import type { Box } from '../../../../domain/files/content/anchor';
import { linesOf, type ProgramEnd } from '../program';
import type { ReadableFile } from '../reader';
import { cleanLine } from '../text-cleaning';
import type { PageGeometry } from './document-info';

export interface Word {
  readonly text: string;
  readonly box: Box;
}

export interface Line {
  readonly words: readonly Word[];
  readonly box: Box;
  /** Of its letters, in points: what headings are known by. */
  readonly height: number;
}

export interface PageText {
  readonly pageNumber: number;
  /** Paragraphs, cells and captions, each of lines. */
  readonly blocks: readonly (readonly Line[])[];
}

/** As displayed. */
export interface DisplayedSize {
  readonly width: number;
  readonly height: number;
}

/** `pdftotext` writes the sides of the page as they are before it is turned, but boxes of words as they are after. */
export const displayedSize = ({ width, height, rotation }: PageGeometry): DisplayedSize =>
  rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height };

const precision = 100_000;
const share = (value: number, whole: number): number =>
  Math.round(Math.min(Math.max(value / whole, 0), 1) * precision) / precision;
const difference = (end: number, start: number): number => Math.round((end - start) * precision) / precision;

interface Corners {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

const boxWithin = ({ width, height }: DisplayedSize, { xMin, yMin, xMax, yMax }: Corners): Box => {
  const x = share(xMin, width);
  const y = share(yMin, height);
  return { x, y, w: difference(share(xMax, width), x), h: difference(share(yMax, height), y) };
};

/** The smallest box around others. */
export const boxAround = (boxes: readonly Box[]): Box => {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    w: difference(Math.max(...boxes.map((box) => box.x + box.w)), x),
    h: difference(Math.max(...boxes.map((box) => box.y + box.h)), y),
  };
};

const wordLine =
  /^<word xMin="([-\d.e+]+)" yMin="([-\d.e+]+)" xMax="([-\d.e+]+)" yMax="([-\d.e+]+)">([\s\S]*)<\/word>$/;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '');

interface PlacedWord extends Word {
  readonly height: number;
}

/** Undefined: nothing of it is displayed. */
const wordOf = (line: string, size: DisplayedSize): PlacedWord | undefined => {
  const [, xMin, yMin, xMax, yMax, escaped = ''] = wordLine.exec(line) ?? [];
  const corners = { xMin: Number(xMin), yMin: Number(yMin), xMax: Number(xMax), yMax: Number(yMax) };
  if (!Object.values(corners).every(Number.isFinite)) return undefined;
  if (corners.xMax <= 0 || corners.yMax <= 0 || corners.xMin >= size.width || corners.yMin >= size.height)
    return undefined;
  const text = cleanWord(unescaped(escaped));
  if (text === '') return undefined;
  return { text, box: boxWithin(size, corners), height: letterHeight(text, corners) };
};

/** Words that run upwards or downwards are taller than wide. */
const letterHeight = (text: string, { xMin, yMin, xMax, yMax }: Corners): number => {
  const width = xMax - xMin;
  const height = yMax - yMin;
  return text.length > 2 && height > 2 * width ? width : height;
};

/** A soft hyphen where a line ends is a hyphen; elsewhere it is invisible. */
const cleanWord = (text: string): string => cleanLine(text.replace(/\u00AD$/, '-')).trim();

/** Words that differ in height are of one line, too: a footnote's number, an initial. */
const lineOf = (words: readonly PlacedWord[]): Line => {
  const heights = words.map(({ height }) => height).sort((one, other) => one - other);
  return {
    words: words.map(({ text, box }) => ({ text, box })),
    box: boxAround(words.map(({ box }) => box)),
    height: heights[Math.floor(heights.length / 2)] ?? 0,
  };
};

interface OpenPage {
  readonly pageNumber: number;
  readonly size: DisplayedSize;
  readonly blocks: Line[][];
  words: PlacedWord[];
}

const addToPage = (page: OpenPage, line: string): void => {
  if (line.startsWith('<block')) page.blocks.push([]);
  else if (line.startsWith('<word')) {
    const word = wordOf(line, page.size);
    if (word !== undefined) page.words.push(word);
  } else if (line.startsWith('</line')) {
    if (page.words.length > 0) page.blocks.at(-1)?.push(lineOf(page.words));
    page.words = [];
  }
};

/** XML around a page's text; a page of words alone takes about 90 bytes for each. */
const bytesPerTextByte = 30;
/** Of the line of one word; a longer one is left out. */
const maxWordLine = 10_000;

const isUnfinished = (line: string): boolean =>
  line.startsWith('<word') && !line.endsWith('</word>') && line.length < maxWordLine;

/** Pages in order; a damaged one is without blocks. */
export async function* pageTexts(
  file: ReadableFile,
  pages: readonly PageGeometry[],
  maxTextBytes: number,
): AsyncGenerator<PageText, ProgramEnd> {
  const lines = linesOf({
    program: 'pdftotext',
    args: ['-bbox-layout', '-cropbox', '-enc', 'UTF-8', '-l', String(pages.length), file.path, '-'],
    maxBytes: maxTextBytes * bytesPerTextByte,
  });
  let pageNumber = 0;
  let page: OpenPage | undefined;
  let unfinished = '';
  try {
    let step = await lines.next();
    for (; step.done !== true; step = await lines.next()) {
      // A word may hold a line break, where the file's font says that a letter is one.
      const line = unfinished === '' ? step.value.trimStart() : `${unfinished}\n${step.value}`;
      unfinished = isUnfinished(line) ? line : '';
      if (unfinished !== '') continue;
      const geometry = line.startsWith('<page ') ? pages[pageNumber] : undefined;
      if (geometry !== undefined) {
        pageNumber += 1;
        page = { pageNumber, size: displayedSize(geometry), blocks: [], words: [] };
      } else if (page !== undefined && line.startsWith('</page>')) {
        yield { pageNumber: page.pageNumber, blocks: page.blocks.filter((block) => block.length > 0) };
        page = undefined;
      } else if (page !== undefined) addToPage(page, line);
    }
    return step.value;
  } finally {
    await lines.return({ kind: 'exited', code: null, errors: '' });
  }
}
