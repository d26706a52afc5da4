/** Reads PDF: text with a box for each word, and which pages have none and need OCR. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, PageFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, fail, type ReadableFile, type ReadLimits } from '../reader';
import { titleText } from '../text-cleaning';
import { type PageGeometry, pdfFailure, readPdfInfo } from './document-info';
import { displayedSize, type PageText, pageTexts } from './page-text';
import { elementsOf, letterHeights } from './passages';

const readable = /[\p{L}\p{N}]/gu;
/** What stands for letters that the file's fonts do not name. */
const unreadable = /[\uFFFD\p{Co}\p{Cn}]/gu;
/** Of the letters of a page; with more, its text is noise to people who search. */
const unreadableShare = 0.3;
/** What is read before the first element is made: the size of the text must be known to see headings. */
const pagesAhead = 8;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const hasUsableText = (text: string): boolean => {
  const good = count(text, readable);
  const bad = count(text, unreadable);
  return good > 0 && bad <= unreadableShare * (good + bad);
};

const textOf = ({ blocks }: PageText): string =>
  blocks.flatMap((lines) => lines.flatMap(({ words }) => words.map(({ text }) => text))).join(' ');

const factsOf = (geometry: PageGeometry, pageNumber: number, hasText: boolean): PageFacts => ({
  pageNumber,
  pageLabel: null,
  ...displayedSize(geometry),
  hasText,
});

export async function* readPdf(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const info = await readPdfInfo(file, limits);
  if (isLeft(info)) return info;
  const { title, pages } = info.right;
  const facts = pages.map((geometry, index) => factsOf(geometry, index + 1, false));
  const heights = letterHeights();
  const ahead: PageText[] = [];
  let textBytes = 0;

  const reading = pageTexts(file, pages, limits.textBytes);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    const page = step.value;
    const geometry = pages[page.pageNumber - 1];
    const text = textOf(page);
    textBytes += Buffer.byteLength(text);
    if (textBytes > limits.textBytes) {
      await reading.return({ kind: 'output', code: null, errors: '' });
      return fail('TOO_LARGE', `The PDF holds more than ${limits.textBytes} bytes of text.`);
    }
    if (geometry === undefined || !hasUsableText(text)) continue;
    facts[page.pageNumber - 1] = factsOf(geometry, page.pageNumber, true);
    heights.add(page);
    ahead.push(page);
    if (ahead.length >= pagesAhead) yield* elementsOf(ahead.shift() as PageText, null, heights);
  }
  if (step.value.kind !== 'exited' || step.value.code !== 0) return pdfFailure(step.value);
  for (const page of ahead) yield* elementsOf(page, null, heights);
  return right(documentFacts({ format: 'pdf', title: titleText(title), pages: facts }));
}
