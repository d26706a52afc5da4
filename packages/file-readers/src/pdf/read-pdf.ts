/** Reads PDF: text with a box for each word, and which pages have none and need OCR. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, PageFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, fail, type ReadableFile, type ReadLimits } from '../reader';
import { titleText } from '../text-cleaning';
import { type PageGeometry, pdfFailure, readPdfInfo } from './document-info';
import { readPageBoxes } from './page-boxes';
import { readPageLabels } from './page-labels';
import { type DisplayedPage, displayedPage, type PageText, pageTexts, startPdftotext } from './page-text';
import { elementsOf, type LetterHeights, letterHeights } from './passages';
import { openPdfObjects } from './pdf-objects';

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

interface KnownPages {
  readonly displayed: readonly DisplayedPage[];
  readonly labels: readonly (string | null)[];
}

/** Of encrypted and of damaged files, what poppler knows alone. */
const knownPages = (file: ReadableFile, pages: readonly PageGeometry[]): KnownPages => {
  const objects = openPdfObjects(file);
  const boxes = objects === undefined ? [] : readPageBoxes(objects, pages.length);
  const labels = objects === undefined ? [] : readPageLabels(objects, pages.length);
  objects?.close();
  return { displayed: pages.map((page, index) => displayedPage(page, boxes[index])), labels };
};

const factsOf = ({ displayed, labels }: KnownPages): PageFacts[] =>
  displayed.map(({ width, height }, index) => ({
    pageNumber: index + 1,
    pageLabel: labels[index] ?? null,
    width,
    height,
    hasText: false,
  }));

/** Of the first of the pages, which is taken from them. */
const takeElements = (
  pages: PageText[],
  labels: readonly (string | null)[],
  heights: LetterHeights,
): readonly Element[] => {
  const page = pages.shift();
  return page === undefined ? [] : elementsOf(page, labels[page.pageNumber - 1] ?? null, heights);
};

export async function* readPdf(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  // Both programs open the file by themselves: the one with the text works while the other one is read.
  const pdftotext = startPdftotext(file, limits);
  const info = await readPdfInfo(file, limits);
  if (isLeft(info)) {
    pdftotext.kill();
    return info;
  }
  const known = knownPages(file, info.right.pages);
  const { labels } = known;
  const facts = factsOf(known);
  const heights = letterHeights();
  const ahead: PageText[] = [];
  let textBytes = 0;

  const reading = pageTexts(pdftotext, known.displayed);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    const page = step.value;
    const pageFacts = facts[page.pageNumber - 1];
    const text = textOf(page);
    textBytes += Buffer.byteLength(text);
    if (textBytes > limits.textBytes) {
      await reading.return({ kind: 'output', code: null, errors: '' });
      return fail('TOO_LARGE', `The PDF holds more than ${limits.textBytes} bytes of text.`);
    }
    if (pageFacts === undefined || !hasUsableText(text)) continue;
    facts[page.pageNumber - 1] = { ...pageFacts, hasText: true };
    heights.add(page);
    ahead.push(page);
    if (ahead.length >= pagesAhead) yield* takeElements(ahead, labels, heights);
  }
  if (step.value.kind !== 'exited' || step.value.code !== 0) return pdfFailure(step.value);
  while (ahead.length > 0) yield* takeElements(ahead, labels, heights);
  return right(documentFacts({ format: 'pdf', title: titleText(info.right.title), pages: facts }));
}
