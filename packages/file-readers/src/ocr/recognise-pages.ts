/** Recognises the text of pages of a PDF that have none: scans. */
import type { PageFacts } from '../../../../domain/files/content/read-result';
import type { ReadableFile, ReadLimits } from '../reader';
import type { OcrConfiguration } from './configuration';
import { usableLanguages } from './languages';
import { outOfTimeNotice, uncertainWordsNotice, unreadPagesNotice } from './notices';
import { recognisedElements } from './recognised-elements';
import { programMissing, type Recognition } from './recognition';
import { type PictureSource, readWithTesseract } from './tesseract';

const pointsPerInch = 72;

/** Of one page: A0 at nearly the usual resolution. Of a page of 100 million, tesseract needs more memory than its sandbox has. */
const maxDrawnPixels = 40_000_000;

/** Of the longer side. The shorter one has no more, whatever the page's shape turns out to be when it is drawn. */
export const drawnPixels = (
  { width, height }: Pick<PageFacts, 'width' | 'height'>,
  { pixels }: Pick<ReadLimits, 'pixels'>,
  { dotsPerInch }: Pick<OcrConfiguration, 'dotsPerInch'>,
): number => {
  const wanted = (Math.max(width, height) / pointsPerInch) * dotsPerInch;
  return Math.max(1, Math.floor(Math.min(wanted, Math.sqrt(Math.min(pixels, maxDrawnPixels)))));
};

/** The page as displayed: turned, and cropped. */
const sourceOf = (file: ReadableFile, page: PageFacts, pixels: number): PictureSource => ({
  commands: [
    {
      program: 'pdftoppm',
      args: [
        ...['-gray', '-cropbox', '-singlefile', '-scale-to', String(pixels)],
        ...['-f', String(page.pageNumber), '-l', String(page.pageNumber), file.path],
      ],
    },
  ],
  dotsPerInch: Math.max(1, (pixels / Math.max(page.width, page.height, 1)) * pointsPerInch),
});

/** One page after the other, those with usable text left out. A page that cannot be drawn is named in a notice, and so is the end of the time. */
export async function* recognisePages(
  file: ReadableFile,
  pages: readonly PageFacts[],
  limits: ReadLimits,
  configuration: OcrConfiguration,
): Recognition {
  const scans = pages.filter(({ hasText }) => !hasText);
  if (scans.length === 0) return { kind: 'recognised', notices: [] };
  const languages = await usableLanguages(configuration);
  if (languages.kind === 'unavailable') return languages;
  const deadline = performance.now() + 1_000 * configuration.seconds;
  const unread: number[] = [];
  let [begun, uncertain] = [0, 0];
  for (const page of scans) {
    if (begun > 0 && performance.now() >= deadline) break;
    begun += 1;
    const source = sourceOf(file, page, drawnPixels(page, limits, configuration));
    const read = await readWithTesseract(source, languages.languages, configuration);
    if (read.kind === 'missing') return programMissing(read.program);
    if (read.kind === 'failed') {
      unread.push(page.pageNumber);
      continue;
    }
    const { elements, uncertainWords } = recognisedElements(
      read.paragraphs,
      { pageNumber: page.pageNumber, pageLabel: page.pageLabel },
      configuration.leastConfidence,
    );
    uncertain += uncertainWords;
    yield* elements;
  }
  return {
    kind: 'recognised',
    notices: [
      ...outOfTimeNotice(begun, scans.length),
      ...languages.notices,
      ...unreadPagesNotice(unread),
      ...uncertainWordsNotice(uncertain),
    ],
  };
}
