/** Text of scanned pages, in fractions of the page as displayed: turned, cropped, and drawn within the limit of pixels. */
import assert from 'node:assert/strict';
import type { Element } from '../../../../domain/files/content/element';
import type { PageFacts } from '../../../../domain/files/content/read-result';
import { defaultOcr, recognisePages } from '../../../../packages/file-readers/src';
import { drawnPixels } from '../../../../packages/file-readers/src/ocr/recognise-pages';
import { needs } from '../../../support/runner/prerequisites';
import { withFile } from '../made-office';
import { fixture, limits, readableFile, readFacts } from '../read';
import { type ScannedPage, scanOf } from './made-scans';
import { assertDisplayedLines, boxesOf, recognised, sharedWords } from './recognised';

const elementsOf = async (
  path: string,
  which: (page: PageFacts) => boolean = () => true,
): Promise<readonly Element[]> => {
  const { facts } = await readFacts(path);
  const { elements, end } = await recognised(
    recognisePages(readableFile(path), facts.pages.filter(which), limits, defaultOcr),
  );
  assert.equal(end.kind, 'recognised');
  return elements;
};

const ofPage = (elements: readonly Element[], pageNumber: number): readonly Element[] =>
  elements.filter(({ anchor }) => anchor.type === 'page' && anchor.pageNumber === pageNumber);

const textOf = (elements: readonly Element[]): string => elements.map(({ text }) => text).join(' ');

describe('text of scanned pages', () => {
  needs('tesseract', 'pdftoppm', 'pdftotext');

  it('is where the page displays it, however it is turned and cropped', () => {
    const pages: readonly ScannedPage[] = [
      { orientation: 1, rotate: 0 },
      { orientation: 6, rotate: 90 },
      { orientation: 3, rotate: 180 },
      { orientation: 8, rotate: 270 },
      { orientation: 1, rotate: 0, margin: [100, 50, 30, 200] },
      { orientation: 6, rotate: 90, margin: [100, 50, 30, 200] },
      { orientation: 3, rotate: 180, margin: [100, 50, 30, 200], scale: 0.5 },
      { orientation: 8, rotate: 270, margin: [100, 50, 30, 200], scale: 0.5 },
    ];
    return withFile(scanOf(pages), 'scan.pdf', async (path) => {
      const elements = await elementsOf(path);
      for (const index of pages.keys()) assertDisplayedLines(ofPage(elements, index + 1));
      assert.ok(elements.every(({ words }) => words.every(({ pageNumber }) => pageNumber !== null)));
    });
  });

  it('reads pages without text alone', () =>
    withFile(scanOf([{ orientation: 1, rotate: 0 }]), 'scan.pdf', async (path) => {
      const { facts } = await readFacts(path);
      const pages = facts.pages.map((page) => ({ ...page, hasText: true }));
      const { elements, end } = await recognised(recognisePages(readableFile(path), pages, limits, defaultOcr));
      assert.deepEqual([elements, end], [[], { kind: 'recognised', notices: [] }]);
    }));

  it('names a page that cannot be drawn, and reads the others', () =>
    withFile(scanOf([{ orientation: 1, rotate: 0 }]), 'scan.pdf', async (path) => {
      const { facts } = await readFacts(path);
      const [page] = facts.pages;
      assert.ok(page !== undefined);
      const pages = [{ ...page, pageNumber: 2 }, page];
      const { elements, end } = await recognised(recognisePages(readableFile(path), pages, limits, defaultOcr));
      assertDisplayedLines(elements);
      assert.deepEqual(end, { kind: 'recognised', notices: ['Pages whose text could not be recognised: 2.'] });
    }));

  it('keeps what was recognised when the time is over, and says how far it came', () =>
    withFile(scanOf(Array<ScannedPage>(3).fill({ orientation: 1, rotate: 0 })), 'scan.pdf', async (path) => {
      const { facts } = await readFacts(path);
      const hasty = { ...defaultOcr, seconds: 0 };
      const { elements, end } = await recognised(recognisePages(readableFile(path), facts.pages, limits, hasty));
      assertDisplayedLines(elements);
      const notice =
        'Text was recognised on the first 1 of 3 scanned pages; all of them take too long. Split the file.';
      assert.deepEqual(end, { kind: 'recognised', notices: [notice] });
    }));

  it('reads a printed page of 1884, and a small drawing', async () => {
    const book = textOf(await elementsOf(fixture('scans', 'c03-29.pdf')));
    assert.match(book, /I got a good going-over in the morning, from old Miss Watson, on account of my clothes/);
    assert.equal(textOf(await elementsOf(fixture('scans', 'aspect.pdf'))), 'This should be a perfect circle.');
  });

  it('reads pages that lie on their sides or upside down, and boxes stay on the words', async () => {
    const elements = await elementsOf(fixture('scans', 'cardinal.pdf'), ({ pageNumber }) => pageNumber <= 2);
    const upright = ofPage(elements, 1);
    const sideways = ofPage(elements, 2);
    assert.ok(sharedWords(textOf(upright), textOf(sideways)) > 0.95);
    // A quarter turn: (x, y) comes to (1 - y - h, x).
    const [title, turned] = [upright, sideways].map((page) => boxesOf(page[0] ?? assert.fail())[0]);
    assert.ok(title !== undefined && turned !== undefined);
    assert.ok(Math.abs(turned.x - (1 - title.y - title.h)) < 0.01 && Math.abs(turned.y - title.x) < 0.01);
  });

  it('finds what people read on a page of fax quality', async () => {
    const text = textOf(await elementsOf(fixture('scans', 'jbig2.pdf')));
    const expected =
      'The LinnSequencer is a state-of-the-art composition and performance tool for the professional musician. It is extremely powerful, yet amazingly simple to learn and use. Each of the 100 sequences contains 32 simultaneous, polyphonic tracks.';
    assert.ok(sharedWords(expected, text) > 0.95, text);
  });
});

describe('pixels of a drawn page', () => {
  const configuration = { dotsPerInch: 200 };

  it('is bounded before the page is drawn, whatever its size', () => {
    assert.equal(drawnPixels({ width: 595, height: 842 }, limits, configuration), 2_338);
    for (const [width, height] of [
      [1_000_000, 1_000_000],
      [1_000_000, 0.001],
      [14_400, 14_400],
    ] as const) {
      const side = drawnPixels({ width, height }, { pixels: 1_000_000 }, configuration);
      assert.ok(side >= 1 && side ** 2 <= 1_000_000);
    }
    assert.equal(drawnPixels({ width: 0, height: 0 }, limits, configuration), 1);
  });

  it('leaves a page with an enormous picture readable in reasonable memory', async function () {
    this.timeout(60_000);
    const path = fixture('scans', 'hugemono.pdf');
    const { facts } = await readFacts(path);
    const { elements } = await recognised(recognisePages(readableFile(path), facts.pages, limits, defaultOcr));
    assert.equal(textOf(elements), 'This is a very big image with a tiny amount of text.');
  });
});
