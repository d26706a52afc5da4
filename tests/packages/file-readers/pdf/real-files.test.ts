/** PDF files of public projects: text, places, sizes and labels agree with another program. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { Element, WordBox } from '../../../../domain/files/content/element';
import { needs } from '../../../support/runner/prerequisites';
import { fixture, readCode, readFacts } from '../read';
import { type DisplayedPage, type DisplayedText, displayedDocument } from './displayed-word';

/** Fields of forms, which pdf.js does not count as text. */
const shareOfPlaces: Readonly<Record<string, number>> = { 'FormTestFromOo.pdf': 0.7 };
const failures: Readonly<Record<string, string>> = {
  'cyclic-toc.pdf': 'CORRUPT',
  'newline-buffer-test.pdf': 'CORRUPT',
  'r6-both-passwords.pdf': 'ENCRYPTED',
};
const names = readdirSync(fixture('pdf')).filter((name) => name.endsWith('.pdf'));

const wholeWord = /^[\p{L}\p{N}]{3,}$/u;
const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');
const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

const isWithin = ({ box }: WordBox, { x, y, w, h }: DisplayedText): boolean => {
  const [centreX, centreY] = [box.x + box.w / 2, box.y + box.h / 2];
  return centreX > x - 0.02 && centreX < x + w + 0.02 && centreY > y - 0.01 && centreY < y + h + 0.01;
};

const placedWords = (elements: readonly Element[], pageNumber: number): readonly (readonly [string, WordBox])[] =>
  elements.flatMap(({ text, words }) =>
    words
      .filter((word) => word.pageNumber === pageNumber)
      .map((word) => [text.slice(word.start, word.start + word.length).normalize('NFKC'), word] as const)
      .filter(([word]) => wholeWord.test(word)),
  );

const agreeing = (elements: readonly Element[], page: DisplayedPage, pageNumber: number): readonly boolean[] =>
  placedWords(elements, pageNumber).map(([text, word]) =>
    page.texts.some((other) => {
      const whole = withoutBlanks(other.text);
      return isWithin(word, other) && (whole.includes(text) || text.includes(whole));
    }),
  );

describe('PDF files of public projects', () => {
  needs('pdftotext');
  for (const name of names.filter((each) => failures[each] === undefined))
    it(`are read as another program reads them: ${name}`, async () => {
      const path = fixture('pdf', name);
      const [{ elements, facts }, other] = await Promise.all([readFacts(path), displayedDocument(path)]);
      assert.ok(other !== null);
      assert.deepEqual(
        facts.pages.map(({ width, height }) => [Math.round(width), Math.round(height)]),
        other.pages.map(({ width, height }) => [Math.round(width), Math.round(height)]),
      );
      assert.deepEqual(
        facts.pages.map(({ pageLabel, pageNumber }) => pageLabel ?? String(pageNumber)),
        // A page may have an empty label.
        other.labels.map((label, index) => label || String(index + 1)),
      );
      const places = other.pages.flatMap((page, index) => agreeing(elements, page, index + 1));
      const agreed = places.filter(Boolean).length;
      assert.ok(agreed >= (shareOfPlaces[name] ?? 0.97) * places.length, `${agreed} of ${places.length} words`);
      for (const [index, page] of other.pages.entries()) {
        const ours = elements
          .filter(({ words }) => words.some(({ pageNumber }) => pageNumber === index + 1))
          .reduce((sum, { text }) => sum + letters(text), 0);
        const theirs = page.texts.reduce((sum, { text }) => sum + letters(text), 0);
        assert.ok(ours >= 0.95 * theirs, `${ours} of ${theirs} letters of page ${index + 1}`);
        assert.equal(facts.pages[index]?.hasText, theirs > 0 || ours > 0);
      }
    });

  for (const [name, code] of Object.entries(failures))
    it(`end with ${code}: ${name}`, async () => assert.equal(await readCode(fixture('pdf', name)), code));

  it('are read where a password limits only what may be done with them', async () => {
    const { elements } = await readFacts(fixture('pdf', 'r3-empty-password.pdf'));
    assert.ok(elements.length > 0);
  });

  it('join words that a line end breaks, and keep the place of both parts', async () => {
    const parts = async (name: string, whole: string): Promise<readonly string[]> => {
      const { elements } = await readFacts(fixture('pdf', name));
      const { text, words } = elements.find((element) => element.text.includes(whole)) ?? assert.fail(`no ${whole}`);
      const start = text.indexOf(whole);
      const within = words.filter((word) => word.start >= start && word.start < start + whole.length);
      assert.ok(within[1]!.box.y > within[0]!.box.y);
      return within.map((word) => text.slice(word.start, word.start + word.length));
    };
    assert.deepEqual(await parts('side-by-side-subfig.pdf', 'takimata'), ['taki', 'mata']);
    const address = 'https://arba.army.pentagon.mil/online-application.html';
    assert.deepEqual(await parts('form_dd0293.pdf', address), [
      'https://arba.army.pentagon.mil/online-',
      'application.html',
    ]);
  });

  it('spell Arabic as it is read', async () => {
    const { elements } = await readFacts(fixture('pdf', 'multilang.pdf'));
    const text = elements.map((element) => element.text).join('\n');
    for (const words of ['مرحبا بالعالم', 'Привет, мир', '你好世界', 'こんにちは世界'])
      assert.ok(text.includes(words), words);
  });

  it('leave pages without text to OCR', async () => {
    const { elements, facts } = await readFacts(fixture('pdf', 'congress.pdf'));
    assert.deepEqual([elements.length, facts.pages.map(({ hasText }) => hasText)], [0, [false]]);
  });

  it('have headings by the size of their letters', async () => {
    const { elements } = await readFacts(fixture('pdf', 'pdflatex-outline.pdf'));
    const headings = elements.filter(({ kind }) => kind === 'heading').map(({ text, level }) => [text, level]);
    assert.ok(headings.length >= 3, JSON.stringify(headings));
  });
});
