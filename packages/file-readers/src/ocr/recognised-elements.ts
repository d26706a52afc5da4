/** Makes elements of recognised paragraphs: uncertain words left out, a box for each line. */
import { type Anchor, type Box, maxBoxes } from '../../../../domain/files/content/anchor';
import { type Element, maxElementText } from '../../../../domain/files/content/element';
import { boxAround } from '../pdf/page-text';
import { joinWords } from '../pdf/passages';
import type { RecognisedLine, RecognisedParagraph } from './tesseract-output';

export interface RecognisedElements {
  readonly elements: readonly Element[];
  readonly uncertainWords: number;
}

/** Where the elements stand: null is a picture. */
export type RecognisedPage = { readonly pageNumber: number; readonly pageLabel: string | null } | null;

/** Of an element: the contract's limit, with room for a last line. */
const maxWords = 15_000;
const maxLineWords = 5_000;

const anchorOf = (page: RecognisedPage, boxes: readonly Box[]): Anchor =>
  page === null
    ? { type: 'image_region', boxes }
    : { type: 'page', ...page, boxes: boxes.map((box) => ({ pageNumber: page.pageNumber, box })) };

const lengthOf = (lines: readonly RecognisedLine[]): number =>
  lines.flat().reduce((sum, { text }) => sum + text.length + 1, 0);

/** Long paragraphs are cut between lines. */
const cut = (lines: readonly RecognisedLine[]): readonly (readonly RecognisedLine[])[] => {
  const pieces: RecognisedLine[][] = [];
  let words = 0;
  let letters = 0;
  for (const line of lines) {
    const length = lengthOf([line]);
    const last = pieces.at(-1);
    const fits = last !== undefined && last.length < maxBoxes && words + line.length <= maxWords;
    if (fits && letters + length <= maxElementText) last.push(line);
    else {
      pieces.push([line]);
      words = 0;
      letters = 0;
    }
    words += line.length;
    letters += length;
  }
  return pieces;
};

const elementOf = (lines: readonly RecognisedLine[], page: RecognisedPage): Element => {
  const words = lines.flat();
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return {
    kind: 'paragraph',
    modality: page === null ? 'image' : 'text',
    level: null,
    ...joinWords(
      lines.map((line) => ({ words: line })),
      page?.pageNumber ?? null,
    ),
    anchor: anchorOf(
      page,
      lines.map((line) => boxAround(line.map(({ box }) => box))),
    ),
    confidence: Math.round((sum / words.length) * 1_000) / 1_000,
  };
};

/** Of a paragraph without a letter or digit nothing is left: frames and shadows are read as signs. */
const hasContent = (lines: readonly RecognisedLine[]): boolean =>
  lines.flat().some(({ text }) => /[\p{L}\p{N}]/u.test(text));

export const recognisedElements = (
  paragraphs: readonly RecognisedParagraph[],
  page: RecognisedPage,
  leastConfidence: number,
): RecognisedElements => {
  const certain = paragraphs.map((lines) =>
    lines
      .map((line) => line.filter(({ confidence }) => confidence >= leastConfidence).slice(0, maxLineWords))
      .filter((line) => line.length > 0),
  );
  const all = paragraphs.flat(2).length;
  return {
    elements: certain
      .filter(hasContent)
      .flatMap(cut)
      .map((lines) => elementOf(lines, page)),
    uncertainWords: all - certain.flat(2).length,
  };
};
