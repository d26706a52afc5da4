/** Runs tesseract on pictures that a stream or another program gives. */
import type { Readable } from 'node:stream';
import type { OcrConfiguration } from './configuration';
import { type Command, type PipelineEnd, runPipeline } from './pipeline';
import { paragraphsOf, type RecognisedParagraph } from './tesseract-output';

/** Where the picture comes from. Opened again for each try. */
export interface PictureSource {
  readonly open?: () => Readable;
  /** Programs that draw it. */
  readonly commands?: readonly Command[];
  /** Undefined: tesseract estimates it. */
  readonly dotsPerInch?: number;
}

export type TesseractEnd =
  | { readonly kind: 'done'; readonly paragraphs: readonly RecognisedParagraph[] }
  | Exclude<PipelineEnd, { kind: 'done' }>;

/** Of TSV: about 700,000 words. */
const maxBytes = 64_000_000;
const maxList = 1_000_000;

/** Tesseract's modes: the page as it stands, or turned as its letters are. The second takes a quarter longer. */
const asItStands = 3;
const asLettersStand = 1;

/** Below it, a picture is taken for one that was scanned sideways. */
const readableShare = 0.5;

const readOnce = async (
  { open, commands = [], dotsPerInch }: PictureSource,
  languages: readonly string[],
  mode: number,
): Promise<TesseractEnd> => {
  const tesseract: Command = {
    program: 'tesseract',
    args: [
      ...['stdin', 'stdout', '-l', languages.join('+'), '--psm', String(mode)],
      ...(dotsPerInch === undefined ? [] : ['--dpi', String(Math.round(dotsPerInch))]),
      // Of a TIFF with several pages, the first.
      ...['-c', 'tessedit_page_number=0', 'tsv'],
    ],
  };
  const [first = tesseract, ...others] = [...commands, tesseract];
  const input = open?.();
  const end = await runPipeline([first, ...others], { maxBytes, ...(input === undefined ? {} : { input }) });
  return end.kind === 'done' ? { kind: 'done', paragraphs: paragraphsOf(end.output) } : end;
};

const certainLetters = (paragraphs: readonly RecognisedParagraph[], leastConfidence: number): number =>
  paragraphs
    .flat(2)
    .filter(({ confidence }) => confidence >= leastConfidence)
    .reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);

const isReadable = (paragraphs: readonly RecognisedParagraph[], leastConfidence: number): boolean => {
  const words = paragraphs.flat(2);
  return words.filter(({ confidence }) => confidence >= leastConfidence).length >= readableShare * words.length;
};

/** A picture of which little can be read is tried once more, turned as its letters stand. */
export const readWithTesseract = async (
  source: PictureSource,
  languages: readonly string[],
  { leastConfidence }: OcrConfiguration,
): Promise<TesseractEnd> => {
  const first = await readOnce(source, languages, asItStands);
  // Letters of a page that lies on its side look like others: the bar for a second try is higher than that for a word.
  const certain = (1 + leastConfidence) / 2;
  if (first.kind !== 'done' || isReadable(first.paragraphs, certain)) return first;
  const second = await readOnce(source, languages, asLettersStand);
  if (second.kind !== 'done') return first;
  return certainLetters(second.paragraphs, certain) > certainLetters(first.paragraphs, certain) ? second : first;
};

/** The languages that this machine has data of; null where it lacks tesseract. */
export const installedLanguages = async (): Promise<readonly string[] | null> => {
  const end = await runPipeline([{ program: 'tesseract', args: ['--list-langs'] }], { maxBytes: maxList });
  if (end.kind === 'missing') return null;
  return end.kind === 'done'
    ? end.output
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    : [];
};
