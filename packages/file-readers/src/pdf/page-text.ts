/** The words of each page by `pdftotext`, grouped as it groups them, with boxes in fractions of the page as displayed. */
import type { Box } from '../../../../domain/files/content/anchor';
import { type ProgramEnd, type StartedProgram, startProgram } from '../program';
import type { ReadableFile, ReadLimits } from '../reader';
import { cleanLine } from '../text-cleaning';
import type { PageGeometry } from './document-info';
import type { PageBox } from './page-boxes';
import { inReadingOrder } from './reading-order';

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

/** Words are placed on it by where they are on poppler's page. */
export interface DisplayedPage {
  /** As displayed, in points. */
  readonly width: number;
  readonly height: number;
  /** From poppler's upper left corner to the displayed one, where the two differ; in units of the page. */
  readonly offsetX: number;
  readonly offsetY: number;
  /** The size of a unit, in points. */
  readonly unit: number;
}

/**
 * `pdftotext` writes the sides of a page as they are before it is turned, but boxes of words as they are after. Where a file's crop box leaves its media
 * box, poppler takes another part of the page than viewers do.
 */
export const displayedPage = ({ crop, rotation }: PageGeometry, box: PageBox | undefined): DisplayedPage => {
  const { displayed, unit } = box ?? { displayed: crop, unit: 1 };
  const width = (displayed.right - displayed.left) * unit;
  const height = (displayed.top - displayed.bottom) * unit;
  const left = displayed.left - crop.left;
  const right = crop.right - displayed.right;
  const top = crop.top - displayed.top;
  const bottom = displayed.bottom - crop.bottom;
  if (rotation === 90) return { width: height, height: width, offsetX: bottom, offsetY: left, unit };
  if (rotation === 180) return { width, height, offsetX: right, offsetY: bottom, unit };
  if (rotation === 270) return { width: height, height: width, offsetX: top, offsetY: right, unit };
  return { width, height, offsetX: left, offsetY: top, unit };
};

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

const boxWithin = ({ width, height }: DisplayedPage, { xMin, yMin, xMax, yMax }: Corners): Box => {
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
const wordOf = (line: string, page: DisplayedPage): PlacedWord | undefined => {
  const [, xMin, yMin, xMax, yMax, escaped = ''] = wordLine.exec(line) ?? [];
  const { offsetX, offsetY, unit } = page;
  const corners = {
    xMin: (Number(xMin) - offsetX) * unit,
    yMin: (Number(yMin) - offsetY) * unit,
    xMax: (Number(xMax) - offsetX) * unit,
    yMax: (Number(yMax) - offsetY) * unit,
  };
  if (!Object.values(corners).every(Number.isFinite)) return undefined;
  if (corners.xMax <= 0 || corners.yMax <= 0 || corners.xMin >= page.width || corners.yMin >= page.height)
    return undefined;
  const text = cleanWord(unescaped(escaped));
  if (text === '') return undefined;
  return { text, box: boxWithin(page, corners), height: letterHeight(text, corners) };
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
const lineOf = (placed: readonly PlacedWord[]): Line => {
  const words = inReadingOrder(placed);
  const heights = words.map(({ height }) => height).sort((one, other) => one - other);
  return {
    words: words.map(({ text, box }) => ({ text, box })),
    box: boxAround(words.map(({ box }) => box)),
    height: heights[Math.floor(heights.length / 2)] ?? 0,
  };
};

interface OpenPage {
  readonly pageNumber: number;
  readonly displayed: DisplayedPage;
  readonly blocks: Line[][];
  words: PlacedWord[];
}

const addToPage = (page: OpenPage, line: string): void => {
  if (line.startsWith('<block')) page.blocks.push([]);
  else if (line.startsWith('<word')) {
    const word = wordOf(line, page.displayed);
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

/** Runs `pdftotext` for as many pages as `limits` allow. */
export const startPdftotext = ({ path }: ReadableFile, { pages, textBytes }: ReadLimits): StartedProgram =>
  startProgram({
    program: 'pdftotext',
    args: ['-bbox-layout', '-cropbox', '-enc', 'UTF-8', '-l', String(pages), path, '-'],
    maxBytes: textBytes * bytesPerTextByte,
  });

/** Pages in order; a damaged one is without blocks. */
export async function* pageTexts(
  { batches }: StartedProgram,
  pages: readonly DisplayedPage[],
): AsyncGenerator<PageText, ProgramEnd> {
  let pageNumber = 0;
  let page: OpenPage | undefined;
  let unfinished = '';
  try {
    let step = await batches.next();
    for (; step.done !== true; step = await batches.next())
      for (const written of step.value) {
        // A word may hold a line break, where the file's font maps a letter to one.
        const line = unfinished === '' ? written.trimStart() : `${unfinished}\n${written}`;
        unfinished = isUnfinished(line) ? line : '';
        if (unfinished !== '') continue;
        const displayed = line.startsWith('<page ') ? pages[pageNumber] : undefined;
        if (displayed !== undefined) {
          pageNumber += 1;
          page = { pageNumber, displayed, blocks: [], words: [] };
        } else if (page !== undefined && line.startsWith('</page>')) {
          yield { pageNumber: page.pageNumber, blocks: page.blocks.filter((block) => block.length > 0) };
          page = undefined;
        } else if (page !== undefined) addToPage(page, line);
      }
    return step.value;
  } finally {
    await batches.return({ kind: 'exited', code: null, errors: '' });
  }
}
