/** Words of tesseract's TSV, grouped as it groups them. */
import type { Box } from '../../../../domain/files/content/anchor';
import { cleanLine } from '../text-cleaning';

export interface RecognisedWord {
  readonly text: string;
  readonly box: Box;
  /** 0 to 1. */
  readonly confidence: number;
}

export type RecognisedLine = readonly RecognisedWord[];
export type RecognisedParagraph = readonly RecognisedLine[];

const pageLevel = 1;
const wordLevel = 5;
const maxWordText = 1_000;
const precision = 100_000;

interface Row {
  readonly level: number;
  /** Numbers of block, paragraph and line. */
  readonly paragraph: string;
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly confidence: number;
  readonly text: string;
}

const rowOf = (line: string): Row | undefined => {
  const [level, , block, paragraph, row, , left, top, width, height, confidence, ...text] = line.split('\t');
  const numbers = [level, left, top, width, height, confidence].map(Number);
  if (confidence === undefined || !numbers.every(Number.isFinite)) return undefined;
  return {
    level: Number(level),
    paragraph: `${block} ${paragraph}`,
    line: String(row),
    left: Number(left),
    top: Number(top),
    width: Number(width),
    height: Number(height),
    confidence: Math.min(Math.max(Number(confidence) / 100, 0), 1),
    text: cleanLine(text.join(' ')).trim().slice(0, maxWordText).toWellFormed(),
  };
};

const share = (value: number): number => Math.round(Math.min(Math.max(value, 0), 1) * precision) / precision;

const boxOf = ({ left, top, width, height }: Row, page: Row): Box => {
  const [x, y] = [share(left / page.width), share(top / page.height)];
  const [right, bottom] = [share((left + width) / page.width), share((top + height) / page.height)];
  return { x, y, w: share(right - x), h: share(bottom - y) };
};

/** Of one picture. Boxes are fractions of it as tesseract displays it. */
export const paragraphsOf = (tsv: string): readonly RecognisedParagraph[] => {
  const paragraphs: { readonly name: string; readonly lines: { readonly name: string; words: RecognisedWord[] }[] }[] =
    [];
  let page: Row | undefined;
  for (const line of tsv.split('\n')) {
    const row = rowOf(line);
    if (row?.level === pageLevel) page ??= row;
    if (row === undefined || row.level !== wordLevel || page === undefined || row.text === '') continue;
    const last = paragraphs.at(-1);
    const paragraph = last?.name === row.paragraph ? last : { name: row.paragraph, lines: [] };
    if (paragraph !== last) paragraphs.push(paragraph);
    const word: RecognisedWord = { text: row.text, box: boxOf(row, page), confidence: row.confidence };
    const lastLine = paragraph.lines.at(-1);
    if (lastLine?.name === row.line) lastLine.words.push(word);
    else paragraph.lines.push({ name: row.line, words: [word] });
  }
  return paragraphs.map(({ lines }) => lines.map(({ words }) => words));
};
